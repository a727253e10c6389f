"""One bot's process, from outside: start it, ask it, measure it, end it.

Imports sandbox and games. Begin with `asker`, through which everybody asks a bot; it stands on
`bot_process`, and that on `pipe`, `clock` and `death`. Processes come from `zygote_client`.
"""
