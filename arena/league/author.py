"""The author of a bot, from its docstring: read as text, never run.

A stranger's file is not parsed whole: deep nesting costs memory, and can end Python. Only the
literal that it begins with is evaluated, and that is cut first.
"""

import csv
import io
import re
import warnings
from ast import literal_eval
from pathlib import Path

from arena.errors import UsageError
from arena.model import LONGEST_NAMED, LONGEST_SENTENCE, Author
from arena.system.folders import read_ordinary_file

MOST_BYTES = 1 << 16  # of the file that are read
MOST_OF_ALL = 1 << 20  # of the file that says who wrote which bot
LONGEST, MOST_LINES = 4096, 20  # characters and lines of the docstring

_BEGINS = re.compile(r"\ufeff?(?:[ \t\f]*(?:#[^\n]*)?\n)*[ \t\f]*([rRuU]?)(\"\"\"|'''|\"|')")
_LINE = re.compile(r"\s*(author|name|version|licence|license)\s*:(.*)", re.IGNORECASE)


def read_author(source: bytes) -> Author:
    """Read who wrote a bot from its source: lines such as `Author: Ann` in its docstring, and the
    docstring's first sentence. Empty where there is none.
    """
    text = source[:MOST_BYTES].decode("utf-8", "replace").replace("\r\n", "\n")
    begins = _BEGINS.match(text)
    if begins is None:
        return Author()
    prefix, quote = begins.groups()
    plain = r"[^\\]" if len(quote) == 3 else r"[^\\\n]"
    body = text[begins.end() : begins.end() + LONGEST]
    literal = re.match(rf"(?:{plain}|\\.)*?{quote}", body, re.DOTALL)
    try:
        with warnings.catch_warnings():  # of escapes that are none
            warnings.simplefilter("ignore")
            docstring = literal_eval(f"{prefix}{quote}{literal[0]}") if literal else ""
    except (ValueError, SyntaxError):
        return Author()
    lines = str(docstring).encode("utf-8", "replace").decode().strip().splitlines()[:MOST_LINES]
    fields = dict[str, str]()
    for line in lines:
        if match := _LINE.fullmatch(line):
            key = match[1].lower().replace("license", "licence")
            fields.setdefault(key, " ".join(match[2].split())[:LONGEST_NAMED])
    if lines and not _LINE.fullmatch(lines[0]):
        fields["sentence"] = " ".join(lines[0].split())[:LONGEST_SENTENCE]
    return Author(**fields)


def read_authors(path: Path) -> list[tuple[str, str]]:
    """Read who wrote which bot from a CSV file with the columns `pupil` and `bot`, a pair for each
    of its lines. Raises UsageError where it has no such columns, or cannot be read.
    """
    try:
        text = read_ordinary_file(path, MOST_OF_ALL).decode("utf-8-sig")
        mark = ";" if ";" in text.partition("\n")[0] else ","  # as spreadsheets of some countries
        reader = csv.DictReader(io.StringIO(text), delimiter=mark)
        rows, columns = [*reader], {*(reader.fieldnames or ())}
    except (OSError, UnicodeError, csv.Error) as error:
        raise UsageError(f"{path}: cannot be read ({error}); save it as CSV, UTF-8") from None
    if not {"pupil", "bot"} <= columns:
        raise UsageError(f"{path}: its first line has no columns 'pupil' and 'bot'")
    return [(row["pupil"] or "", row["bot"] or "") for row in rows]
