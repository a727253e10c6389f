"""arena.site.picture: read again as any PNG, and letter by letter."""

from struct import unpack
from zlib import crc32, decompress

import numpy as np

from arena.site.picture import DOT, draw_picture


def pixels(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The numbers of the colours, by row."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    parts, at = {}, 8
    while at < len(png):
        (size,) = unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert unpack(">I", png[at + 8 + size : at + 12 + size])[0] == crc32(kind + data)
        parts[kind], at = data, at + 12 + size
    width, height, depth, colours, *_ = unpack(">IIBBBBB", parts[b"IHDR"])
    assert (width, height, depth, colours) == (1200, 630, 8, 3)
    rows = np.frombuffer(decompress(parts[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:]


def test_letters_are_drawn_line_by_line_the_first_in_its_own_colour() -> None:
    dots = pixels(draw_picture(["T", "l"]))[::DOT, ::DOT]
    drawn = ["".join(" .#"[dot] for dot in row).rstrip() for row in dots[8:30, 12:]]
    assert drawn[:7] == ["#####", "# # #", "  #", "  #", "  #", "  #", "  #"]
    assert drawn[14:21] == [" ..", "  .", "  .", "  .", "  .", "  .", " ..."]
    assert {*drawn[7:14]} == {""}


def test_every_name_fits_and_what_is_hostile_is_cut_and_asked() -> None:
    longest = draw_picture(["cup", "", f"1  {'w' * 32}"])
    assert longest != draw_picture(["cup", "", f"1  {'w' * 31}"])
    assert (pixels(longest)[:, -60:] == 0).all()
    assert draw_picture(["\x1bé" + "x" * 999]) == draw_picture(["??" + "x" * 34])
