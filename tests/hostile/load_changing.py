"""Is a module whose `decide` is another thing each time, at last nothing.

Must: error
"""

looked = []


def __getattr__(name):
    if name == "decide":
        looked.append(name)
        return print if len(looked) == 1 else None
    raise AttributeError(name)
