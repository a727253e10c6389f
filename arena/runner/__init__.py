"""What is missing is played, all of it or a shard: by workers of this machine, or of a cluster.

Imports plan, session, process, league, store, schedule, tables, system, games, the sandbox's
`walls` and the audit's `verify`. Begin with `tournament`.
"""
