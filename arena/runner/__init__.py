"""What is missing is played, all of it or a shard: by workers of this machine, or of a cluster.

Imports plan, session, process, league, store, schedule, tables, system, games and the sandbox's
`walls`. Begin with `tournament`.
"""
