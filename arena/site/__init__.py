"""The published site: a folder of pages that works offline, made of the results.

Imports tables, store, records, schedule, rating, games and system. Begin with `build`.
"""
