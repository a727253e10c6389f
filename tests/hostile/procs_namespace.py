"""Makes a world of its own, to be root in it (unshare).

Must: forbidden
"""

import ctypes

libc = ctypes.CDLL(None)


def decide(view):
    libc.unshare(0x10000000)
    return view.legal[0]
