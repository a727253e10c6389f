"""Takes memory without end while it loads; is no bot.

Must: load
"""

kept = []
while True:
    kept.append(bytearray(1 << 20))


def decide(view):
    return view.legal[0]
