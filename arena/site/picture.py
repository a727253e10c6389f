"""A site's picture, for links that are shared: a few lines of text as a PNG. Pure.

Letters are made of dots (`templates/letters.txt`: five columns each, the lowest bit on top), so no
font has to be installed. Names of bots are ASCII.
"""

from collections.abc import Sequence
from importlib.resources import files
from struct import pack
from zlib import compress, crc32

import numpy as np

DOT = 5  # pixels
WIDTH, HEIGHT, LETTERS = 240, 126, 36  # dots of the picture; of a line, letters
COLOURS = bytes.fromhex("fbfbfa 1a1d23 1f55b5")  # of the ground, the text, the first line


def draw_picture(lines: Sequence[str]) -> bytes:
    """Draw up to eight lines; what is too long for its line is cut."""
    text = files("arena.site").joinpath("templates/letters.txt").read_text("ascii")
    letters = {line[0]: [*bytes.fromhex(line[1:]), 0] for line in text.splitlines()}
    dots = np.zeros((HEIGHT, WIDTH), np.uint8)
    for number, line in enumerate(lines):
        columns = [bits for letter in line[:LETTERS] for bits in letters.get(letter, letters["?"])]
        drawn = np.unpackbits(np.array([columns], np.uint8), axis=0, bitorder="little")
        dots[14 * number + 8 :][:8, 12 : 12 + len(columns)] = drawn * (1 if number else 2)
    rows = np.pad(dots.repeat(DOT, 0).repeat(DOT, 1), ((0, 0), (1, 0)))  # 0: it has no filter
    parts = {
        b"IHDR": pack(">IIBBBBB", DOT * WIDTH, DOT * HEIGHT, 8, 3, 0, 0, 0),
        b"PLTE": COLOURS,
        b"IDAT": compress(rows.tobytes(), 9),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))
        for kind, data in parts.items()
    )
