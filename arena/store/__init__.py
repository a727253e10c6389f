"""`results/NAME/arena.sqlite`: the truth about a tournament, and the only place that knows SQL.

Imports records, schedule and system. Begin with `store`.
"""
