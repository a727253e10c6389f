"""Says that it ran out of memory, and undoes the exit that follows; ends all the same.

Must: memory
"""

import os

os._exit = lambda status: None


def decide(view):
    raise MemoryError
