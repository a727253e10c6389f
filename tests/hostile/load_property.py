"""Is a module whose `decide` is there when it is looked for, and raises when it is taken.

Must: load
"""

looked = []


def __getattr__(name):
    if name == "decide":
        looked.append(name)
        if len(looked) == 1:
            return print
        1 / 0
    raise AttributeError(name)
