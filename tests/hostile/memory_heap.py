"""Takes memory without end once it plays; ends at its limit.

Must: memory
"""


def decide(view):
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
