"""Dies of a signal while it loads.

Must: load
"""

import ctypes

ctypes.string_at(0)


def decide(view):
    return view.legal[0]
