"""Breaks a function that everybody uses, the arena's code in its process too.

Must: crash
"""

import builtins


def decide(view):
    builtins.len = lambda things: 1 / 0
    builtins.BaseException = ZeroDivisionError
    return view.legal[0]
