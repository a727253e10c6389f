"""arena.site.picture: read again by Pillow."""

import sys
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from arena.errors import UsageError
from arena.site.picture import EDGE, GROUND, SIZE, draw_picture


def pixels(lines: list[str]) -> Image.Image:
    return Image.open(BytesIO(draw_picture(lines))).convert("RGB")


def test_the_lines_stand_one_below_the_other_within_the_edges() -> None:
    ground = Image.new("RGB", SIZE, GROUND).getpixel((0, 0))
    image = pixels(["cup", "1  ann", "w" * 999])
    assert image.size == SIZE
    inked = {
        (x, y) for x in range(SIZE[0]) for y in range(SIZE[1]) if image.getpixel((x, y)) != ground
    }
    assert min(x for x, _ in inked) >= EDGE
    assert max(x for x, _ in inked) < SIZE[0] - EDGE
    rows = sorted({y for _, y in inked})
    assert sum(after - before > 1 for before, after in pairwise(rows)) == 2


def test_letters_that_the_font_lacks_are_written_otherwise() -> None:
    assert draw_picture(["Köln é\x1b"]) == draw_picture(["Koeln e?"])


def test_without_pillow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(UsageError, match=r"pip install 'botarena\[picture\]'"):
        draw_picture(["cup"])
