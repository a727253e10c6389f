"""Makes a world of its own, to be root in it (unshare); must die of it.

Must: forbidden
"""

import ctypes

libc = ctypes.CDLL(None)


def decide(view):
    libc.unshare(0x10000000)
    return view.legal[0]
