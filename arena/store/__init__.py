"""`results/NAME/arena.sqlite`, a tournament's results. Only this package uses SQL.

`store` reads and writes it, `schema` has its tables; `opening` finds its owner, locks it, and saves
the readable part of a damaged one. Games are stored in a `chunk`; `scan` reads them, damaged or
not, within limits of size and by `validation`. `plans` keeps the plan and the
choices, and follows the games that count; `history` keeps a league's weeks. `usage` has what bots
used, `loads` which did not load, `logs` why they failed. `public` makes copies for others, and
reveals the secret in the end.

Imports faults, records, schedule, sequential, system and games. Begin with `store`.
"""
