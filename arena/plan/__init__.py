"""Plans from a TOML file or the words of a match, checked before anything is played.

`toml` reads a file with its lines, `keys` types it, `config` checks it whole. `plan` makes it a
plan of games, bots and folder, `ranked` says which have no place; `match` plans for two bots, and
for one game by hand.

Imports league, schedule, sequential, process, system, games and the sandbox's `walls`.
Begin with `plan`.
"""
