"""What is missing is played: by workers of this machine, or of a cluster's hosts.

Imports plan, session, process, league, store, schedule, tables, system, games and the sandbox's
`walls`. Begin with `tournament`.
"""
