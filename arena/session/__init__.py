"""Many games of one pool, played side by side in lock-step, one process a bot; by a script, of
several pools of a game.

`session` plays them: each `game` waits for a seat, each `player` asks its bot for many games at
once. `text_budget` limits how much of a bot's output is kept.

Imports faults, process, records, games and the sandbox's `wire`. Begin with `session`.
"""
