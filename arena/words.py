"""Words as they are shown: numbers and amounts, with one spelling of each unit; guesses; hostile
text made harmless, for the terminal and for each format.

What does not print (control characters, line ends, changes of direction) is shown as an escape,
`\\x1b`. Pure.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from json import dumps

EXACT = 10**10
MORE = ", more as needed"


def amount(number: int, word: str) -> str:
    """Word an amount: `1 bot`, `2,000 bots`."""
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def progress(done: int, total: int, more: bool) -> str:
    """Word how far games have come; there are `more` where their results may ask for some."""
    return f"{done:,} of {total:,} games{MORE if more else ''}"


def possessive(name: str) -> str:
    """Word whose something is: `ann's`, `arrays'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def size(number: float) -> str:
    """Word a number of bytes in two digits or more: `740 bytes`, `1.2 MB`, `340 PB`."""
    for unit in ("bytes", "kB", "MB", "GB", "TB", "PB"):
        if number < 999.5:
            whole = number >= 9.95 or unit == "bytes"
            return f"{number:,.0f} {unit}" if whole else f"{number:.1f} {unit}"
        number /= 1000
    return f"{short(number)} EB"


def short(number: float) -> str:
    """Write a number with its thousands apart, below 10 with one decimal if it is not whole; from
    11 digits on two of them: `1.2e16`.
    """
    if number >= EXACT:
        digits, power = f"{number:.1e}".split("e+")
        return f"{digits}e{int(power)}"
    return f"{number:,.0f}" if number >= 9.95 or number == int(number) else f"{number:.1f}"


def duration(seconds: float) -> str:
    """Word a length of time as people say it: `45 s`, `3 min`, `2 h 10 min`, `12 days`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    days = round(minutes / (24 * 60))
    return f"{days} days" if days < 2 * 365 else f"{short(round(days / 365.25))} years"


def short_duration(seconds: float) -> str:
    """Word a time below a second in two digits or more: `3.1 µs`, `42 µs`, `1.8 ms`."""
    ms = seconds >= 1e-3
    value = seconds * (1e3 if ms else 1e6)
    return f"{value:.{0 if value >= 10 else 1}f} {'ms' if ms else 'µs'}"


def interval(low: float | None, high: float | None, form: str = "z.2f") -> str:
    """Word an interval, each of its ends in this form: `1.2 to 3.4`; `above 1.2` where the other
    end is open, and "" where both are.
    """
    if low is not None and high is not None:
        return f"{low:{form}} to {high:{form}}"
    if low is not None:
        return f"above {low:{form}}"
    return "" if high is None else f"below {high:{form}}"


def spell(value: object) -> str:
    """Spell a value as messages have it: short, whatever it is."""
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list) and not value:
        return "an empty list" if isinstance(value, list) else "an empty table"
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'} of {len(value)}"
    text = value.isoformat() if hasattr(value, "isoformat") else repr(value)  # of a day or time
    return text if len(text) <= 60 else f"{text[:57]}..."


def nearest(value: object, words: Iterable[str], likeness: float = 0.5) -> str | None:
    """Guess which word was meant; None if none is near, or the value is no text."""
    near = get_close_matches(value, list(words), 1, likeness) if isinstance(value, str) else []
    return near[0] if near else None


def not_one_of(value: object, words: Sequence[str], also: str = "") -> str:
    """Word what was given instead of one of the words: the nearest of them, or all and `also`."""
    near = nearest(value, words)
    if near:
        return f"found {spell(value)}, did you mean {near!r}?"
    return f"found {spell(value)}; expected {either([repr(w) for w in words])}" + (
        f", {also}" if also else ""
    )


def either(values: Sequence[object]) -> str:
    """Join the values to one phrase: `2, 3 or 4`."""
    return _join(values, " or ")


def every(values: Sequence[object]) -> str:
    """Join the values to one phrase: `2, 3 and 4`."""
    return _join(values, " and ")


def _join(values: Sequence[object], word: str) -> str:
    words = [str(value) for value in values]
    return word.join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


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


GERMAN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
    | {"ı": "i", "ł": "l", "Ł": "L", "ø": "oe", "Ø": "Oe", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "Ae"}
)
"""German spellings of these letters in ASCII, and of those that Unicode does not take apart."""


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


def escape_csv(text: str) -> str:
    """Escape text for a cell of CSV, with an apostrophe before what a spreadsheet might run as a
    formula (OWASP: CSV injection).
    """
    runs = text[:1] in _STRIPPED or text.lstrip()[:1] in _FORMULA
    return f"'{visible(text)}" if runs else visible(text)


def escape_markdown(text: str) -> str:
    """Escape text for a line or a table's cell of GitHub's Markdown, links and all undone."""
    text = _WWW.sub(r"\g<0>\\", _MARKDOWN.sub(r"\\\g<0>", visible(text)))
    return text.translate(_ENTITIES)


def escape_latex(text: str) -> str:
    """Escape text for LaTeX, which would join `--` to a dash."""
    return break_ligatures(visible(text).translate(_LATEX))


def break_ligatures(text: str) -> str:
    """Keep LaTeX from making ligatures of punctuation: no two characters join."""
    return _LIGATURES.sub(r"\g<0>{}", text)
