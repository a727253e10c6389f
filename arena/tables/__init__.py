"""Ratings and counts as tables, and as files.

`document` has the types of standings.json, `columns` a ranking's columns in every format and on the
site, `notes` what is said beside tables, `overview` which tables there are and what they come to.
`results` makes the document of a store's games, by `pool_table` and `standings`, and writes the
files of a results folder. `layout` is its tables as plain text; `formats`, `terminal` and `page`
write them. `match` is how a match stands, `history` what a league remembers.

Imports faults, store, rating, sequential, schedule and system; all but `results` are pure.
Begin with `document`.
"""
