"""Asks for the address of a name, which would tell its server something.

Must: play on
"""

import socket

got = ""
try:
    got = str(socket.getaddrinfo("my-cards-are-bad.example.org", 80))
except OSError:
    pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
