"""One bot's process, from outside: start it, ask it, measure it, end it.

Imports faults, sandbox, system and games. Begin with `asker`, through which every question to a bot
goes; it stands on `bot_process`, and that on one of two bodies. `forked`, on `pipe` and `clock`, is
that of Linux, whose processes come from `zygote_client`; `spawned` is that of other systems;
`launch` chooses. `affinity` keeps those that take turns on one core. `doctor` tries the walls, by
the bot `probe`.
"""
