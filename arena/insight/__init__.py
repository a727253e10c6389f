"""Explains losses: decisions that cost a bot games, found by playing stored games on differently.

`positions` finds the decisions of stored games. `worlds` plays games on from them, in sessions that
begin in the middle, with the bots that played. `game` explains a game by that. `bot` finds
rules that make a bot better: `rules` reads and carries them out, `search` proposes them,
`rule_code` writes them as Python. `report` has the results, and says them in sentences.

Imports faults, session, process, store, records, schedule, rating, league, system, games and the
sandbox's `walls`. Begin with `worlds`.
"""
