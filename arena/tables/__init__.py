"""Ratings and counts as tables, and as files.

Imports store, rating, schedule, games and system; all but `from_store` and `publish` are pure.
Begin with `document`: the types of what is published. The columns of a ranking, in every format and
on the site, are those of `columns`.
"""
