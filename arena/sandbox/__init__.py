"""All that runs inside a bot's process: the sandbox, loading the bot, asking it.

Imports games and msgspec, and nothing else of arena: a stranger's bot shares its process with this
folder only. To audit the sandbox, read this folder. Begin with `walls`, then `zygote` for which
process starts which. Where a system has no walls, `unwalled` is what runs.
"""
