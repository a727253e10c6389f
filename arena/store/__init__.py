"""`results/NAME/arena.sqlite`: the truth about a tournament, and the only place that knows SQL.

`store` reads and writes it, `schema` has its tables, `opening` finds out whose it is and locks it.
Games come as a `chunk`; `scan` reads what lies there, damaged or not, within the limits of sizes
and by `validation`; `salvage` saves what can be read. `plans` keeps the plan and the choices,
`usage` what bots used, `logs` why they failed. `public` is what others may have: a copy, and the
secret in the end. `follow` has the games since the last look.

Imports records, schedule and system. Begin with `store`.
"""
