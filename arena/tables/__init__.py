"""Ratings and counts as tables, and as files.

Imports store, rating, schedule, games and system; `standings`, `layout` and `formats` are pure.
Begin with `standings`.
"""
