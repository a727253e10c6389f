"""Raises what only generators may: an error like others.

Must: error
"""


def decide(view):
    raise GeneratorExit if view.table % 2 else StopIteration
