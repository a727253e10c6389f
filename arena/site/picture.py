"""A site's picture, for links that are shared: a few lines of text as a PNG.

Pillow draws it, with the font that it brings along, so none has to be installed.
"""

from collections.abc import Sequence
from io import BytesIO
from unicodedata import combining, normalize

from arena.errors import UsageError
from arena.words import GERMAN

SIZE, EDGE = (1200, 630), 60  # pixels, as pages that show links have room for
FIRST, REST = 72, 44  # of letters
GROUND, TITLE, TEXT = "#fbfbfa", "#1f55b5", "#1a1d23"


def draw_picture(lines: Sequence[str]) -> bytes:
    """Draw up to eight lines, the first one larger; what is too long for its line is cut. Raises
    UsageError without Pillow.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise UsageError(
            "--url: Pillow, which draws the picture, is not installed; run "
            "pip install 'botarena[picture]'"
        ) from None
    image = Image.new("P", SIZE, GROUND)
    draw, top = ImageDraw.Draw(image), EDGE
    for number, line in enumerate(lines):
        size = REST if number else FIRST
        at, fill = (EDGE, top), TEXT if number else TITLE
        draw.text(at, _in_ascii(line), fill, ImageFont.load_default(size))
        top += round(1.4 * size)
    draw.rectangle((SIZE[0] - EDGE, 0, *SIZE), GROUND)
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _in_ascii(text: str) -> str:
    """The text in the letters that the font has: without accents, others as `?`."""
    plain = "".join(c for c in normalize("NFKD", text.translate(GERMAN)) if not combining(c))
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in plain)
