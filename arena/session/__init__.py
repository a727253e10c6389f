"""Many games of one pool, played side by side in lock-step, one process a bot.

Imports process, records, games and the sandbox's `wire`. Begin with `session`.
"""
