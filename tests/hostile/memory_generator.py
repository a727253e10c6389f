"""Answers a batch by a generator that never ends and grows; ends at its limit.

Must: memory
"""


def decide_many(views, rngs):
    while True:
        yield bytearray(1 << 20)
