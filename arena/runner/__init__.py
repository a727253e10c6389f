"""Plays what is missing of a tournament, by workers of this machine or by another executor.

Imports plan, session, process, league, store, schedule, tables, system, games and the sandbox's
`walls`. Begin with `tournament`.
"""
