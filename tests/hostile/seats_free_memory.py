"""Takes memory, so that its partner sees less of it free.

Must: play on
"""

import ctypes

libc = ctypes.CDLL(None)
kept = []
at_load = libc.sysinfo(ctypes.create_string_buffer(256))


def decide(view):
    if not kept:
        kept.append(bytearray(32 << 20))
    if 0 in (at_load, libc.sysinfo(ctypes.create_string_buffer(256))):
        return "GOT the machine's memory"
    return view.legal[0]
