"""Is a module that has every name that is looked for: too many kinds of bot.

Must: load
"""


def __getattr__(name):
    return print
