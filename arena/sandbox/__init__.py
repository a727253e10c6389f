"""Inside a bot's process: its walls, the loading of it, its answers. Nothing else runs there.

Imports games and msgspec, and nothing of arena outside this folder, not even its words: a
stranger's bot shares a process with all that is here, and with no more of arena. This folder is all
that an audit of the walls has to read. Begin with `walls`, then `zygote` for which process starts
which.
"""
