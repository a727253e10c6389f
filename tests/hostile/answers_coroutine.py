"""Answers a promise to think about it.

Must: illegal
"""


async def decide(view):
    return view.legal[0]
