"""Takes memory, so that its partner sees less of it free; must be refused.

Must: play on
"""

import ctypes

libc = ctypes.CDLL(None)
kept = []


def decide(view):
    if not kept:
        kept.append(bytearray(32 << 20))
    if libc.sysinfo(ctypes.create_string_buffer(256)) == 0:
        return "GOT the machine's memory"
    return view.legal[0]
