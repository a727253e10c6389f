"""Listens on a unix socket without a file, for a partner to find.

Must: play on
"""

import socket

got = ""
try:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0two bots of one kind")
    got = "a name"
except PermissionError:
    pass
try:
    got = str(socket.socketpair())
except PermissionError:
    pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
