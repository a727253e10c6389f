"""Ratings and counts as tables, and as files.

`document` has the types of standings.json, `columns` a ranking's columns in every format and on the
site, `values` how numbers are rounded and shown. `from_store` makes the document of a store's
games, by `standings`, `pool_table`, `ranking` and `agreement`. `layout` and `caveats` are its
tables and notes as plain text; `formats`, `terminal`, `page` (with `charts`) and `publish` write
them. `against` compares two leagues, `settling` is a match's look, `power` what a plan can tell
apart, `timing` CPU times.

Imports store, rating, schedule, games and system; all but `from_store` and `publish` are pure.
Begin with `document`.
"""
