"""Hostile text made harmless, each function for the format it is named after.

All of them first write what does not print (control characters, line ends, changes of direction) as
an escape, `\\x1b`.
"""

import re
from json import dumps

_FORMULA = frozenset("=+-@＝＋－＠")  # with which a spreadsheet begins to calculate
_STRIPPED = frozenset("\t\r\n")  # which it may take off first
_MARKDOWN = re.compile(r"[\\`*\[\]~$!#^]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|:(?=/)")
_WWW = re.compile(r"\bwww(?=\.)", re.IGNORECASE)
_ENTITIES = str.maketrans({char: f"&#{ord(char)};" for char in "&<>|@"})
_LATEX = str.maketrans(
    {char: f"\\{char}" for char in "{}$&#_%"}
    | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
    | {"<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}"}
)
_LIGATURES = re.compile(r"-(?=-)|`(?=`)|'(?=')|,(?=,)|[?!](?=`)")


def visible(text: str) -> str:
    """Escape all that does not print."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )


def printable_json(line: bytes) -> bytes:
    """Escape what does not print in JSON, as JSON has it: the same value."""
    if line.isascii() and line.decode().isprintable():
        return line
    text = line.decode("utf-8", "surrogateescape")  # what is no UTF-8 is no JSON either
    return "".join(c if c.isprintable() else dumps(c)[1:-1] for c in text).encode()


def csv(text: str, safe: bool = False) -> str:
    """Escape text for a cell of CSV; if `safe`, put an apostrophe before what a spreadsheet might
    run (OWASP: CSV injection).
    """
    runs = text[:1] in _STRIPPED or text.lstrip()[:1] in _FORMULA
    return f"'{visible(text)}" if safe and runs else visible(text)


def markdown(text: str) -> str:
    """Escape text for a line or a table's cell of GitHub's Markdown, links and all undone."""
    text = _WWW.sub(r"\g<0>\\", _MARKDOWN.sub(r"\\\g<0>", visible(text)))
    return text.translate(_ENTITIES)


def latex(text: str) -> str:
    """Escape text for LaTeX, which would join `--` to a dash."""
    return unjoined(visible(text).translate(_LATEX))


def unjoined(text: str) -> str:
    """Keep LaTeX from making ligatures of punctuation: no two characters join."""
    return _LIGATURES.sub(r"\g<0>{}", text)
