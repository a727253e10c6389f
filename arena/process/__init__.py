"""One bot's process, from outside: start it, ask it, measure it, end it.

Imports faults, sandbox, system and games. Begin with `asker`, through which every question to a bot
goes; it stands on `bot_process`, and that on `pipe`, `clock` and `death`. Processes come from
`zygote_client`, and `affinity` keeps those that take turns on one core. `doctor` tries the walls,
by the bot `probe`.
"""
