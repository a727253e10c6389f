"""What others and their tools may have of a tournament.

Imports tables, store, records, schedule, rating, games and system. Begin with `files`.
"""
