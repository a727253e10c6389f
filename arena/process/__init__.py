"""One bot's process, from outside: start it, ask it, measure it, end it.

Imports sandbox and games. Begin with `bot_process`, which stands on `pipe`, `clock` and `death`;
`zygote_client` is where processes come from.
"""
