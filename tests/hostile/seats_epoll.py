"""Watches descriptors, since watches are limited by user.

Must: play on
"""

import select

got = None
try:
    got = select.epoll()
except PermissionError:
    pass


def decide(view):
    return "GOT a watch" if got else view.legal[0]
