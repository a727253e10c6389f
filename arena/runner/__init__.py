"""What is missing is played: by workers of this machine.

Imports plan, session, process, league, store, schedule, tables, system, games and the sandbox's
`walls`. Begin with `tournament`.
"""
