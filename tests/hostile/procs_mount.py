"""Mounts files where it may read them; must die of it.

Must: forbidden
"""

import ctypes

libc = ctypes.CDLL(None)


def decide(view):
    libc.mount(b"/", b"/dev", None, 4096, None)
    return view.legal[0]
