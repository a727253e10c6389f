"""Asks for a key of its user's, whose number is limited by user.

Must: forbidden
"""

import ctypes
import os

libc = ctypes.CDLL(None)
ADD_KEY = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
USER_KEYRING = -4


def decide(view):
    libc.syscall(ADD_KEY, b"user", b"arena-partners", b"x", 1, USER_KEYRING)
    return view.legal[0]
