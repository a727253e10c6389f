"""Ratings and counts as tables, and as files.

`document` has the types of standings.json, `columns` a ranking's columns in every format and on the
site, `values` how numbers are rounded and shown. `results` makes the document of a store's games,
by `pool_table` and `standings`, and writes the files of a results folder. `layout` is its tables
and notes as plain text; `formats`, `terminal` and `page` write them. `against` compares two
leagues, `settling` is a match's look, `power` what a plan can tell apart.

Imports store, rating, schedule, games and system; all but `results` are pure.
Begin with `document`.
"""
