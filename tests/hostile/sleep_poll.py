"""Waits for something that never comes, in select.

Must: time
"""

import select


def decide(view):
    select.select([], [], [])
    return view.legal[0]
