"""What is missing of a tournament is played, by workers of this machine or by another executor.

Imports plan, session, process, league, store, schedule, tables, system, games and the sandbox's
`walls`. Begin with `tournament`.
"""
