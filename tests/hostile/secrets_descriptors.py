"""Looks for open descriptors other than its five; must find none.

Must: play on
"""

import select

got = []
for first in range(5, 4096, 60):  # no more can be polled at once than may be open
    poll = select.poll()
    for fd in range(first, first + 60):
        poll.register(fd)
    closed = {fd for fd, event in poll.poll(0) if event & select.POLLNVAL}
    got.extend(set(range(first, first + 60)) - closed)


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
