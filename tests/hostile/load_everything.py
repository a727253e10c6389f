"""Is a module that has everything anybody looks for: too many kinds of bot.

Must: load
"""


def __getattr__(name):
    return print
