"""Unpacks a few kilobytes to a quarter of a gigabyte while it loads; is no bot.

Must: load
"""

import zlib

packer = zlib.compressobj(1)
packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(32)) + packer.flush()
kept = [zlib.decompress(packed) for _ in range(8)]


def decide(view):
    return view.legal[0]
