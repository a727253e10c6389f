"""The numbers that a bot names in `TUNE`: read behind the walls, and written into its file."""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from contextlib import closing
from io import BytesIO
from math import ceil, floor
from pathlib import Path
from tokenize import detect_encoding
from typing import NamedTuple

from arena.errors import UsageError
from arena.faults.reasons import in_full
from arena.league.bots import ENTRY_FILE
from arena.league.files import Source, hash_source, write_snapshots
from arena.model import Bot, Limits
from arena.process.launch import start_client

LIMITS = Limits(load_ms=20_000, wall_ms=60_000, memory_mib=1_024, max_output_kib=4_096)
"""Of a process with all variants of a bot: none is played under a league's limits."""

DIGITS = 4  # of a number between its ends; more are luck
MOST, LARGEST = 100, 1e15  # numbers; one of them or its ends, either way
_LINE = re.compile(r"TUNE (\[.*\])$", re.MULTILINE)
_VARIANTS = Path(__file__).with_name("variants.py")

Values = Mapping[str, float]


class Number(NamedTuple):
    """A number of a bot; whole if its value is."""

    name: str
    value: float
    low: float
    high: float
    line: int  # where its value stands in the file, from 1; columns are bytes
    column: int
    last_line: int
    last_column: int

    def round(self, value: float) -> float:
        """The nearest value that it may have."""
        if isinstance(self.value, int):
            return min(floor(self.high), max(ceil(self.low), round(value)))
        return min(self.high, max(self.low, float(f"{value:.{DIGITS}g}")))


def wrap(source: Source, variants: Sequence[Values]) -> Source:
    """A bot that plays variants of one; by the table's number, modulo how many there are."""
    files = dict(source.files)
    files["_arena_subject.txt"], files[ENTRY_FILE] = files[ENTRY_FILE], _VARIANTS.read_bytes()
    files["_arena_variants.json"] = json.dumps([*map(dict, variants)]).encode()
    return Source(tuple(sorted(files.items())), is_folder=True)


def read_numbers(name: str, source: Source, confined: bool) -> list[Number]:
    """Read the numbers of a bot; none if it has no `TUNE`. Raises UsageError, which names the line,
    where its code cannot be read, or a number is none or lies outside its range.
    """
    reader = wrap(source, [])
    bot = Bot(name, hash_source(reader))
    with closing(start_client(confined)) as client, write_snapshots({name: reader}, [bot]) as paths:
        process = client.start(Path(paths[name]), LIMITS)
        reason = process.load()
        process.end()
    if reason:
        raise UsageError(f"{name}: {in_full(reason)}")
    rows = [json.loads(line) for line in _LINE.findall(process.printed)]
    if rows and len(rows[-1]) == 1:
        raise UsageError(f"{name}: TUNE: {rows[-1][0]}")
    if len(rows) > MOST:
        raise UsageError(f"{name}: TUNE: found {len(rows):,} numbers; {MOST} can be tuned at once")
    numbers = [Number(*row) for row in rows]
    for one in numbers:
        ends, what = (one.value, one.low, one.high), ""
        if not one.low < one.high or not all(abs(end) <= LARGEST for end in ends):
            what = f"found {ends}; expected a value, then the lowest and the highest"
        elif not one.low <= one.value <= one.high:
            what = f"{one.value} lies outside {one.low} to {one.high}; change one of them"
        elif [other.name for other in numbers].count(one.name) > 1:
            what = "is there twice; remove one of them"
        if what:
            raise UsageError(f"{name}: TUNE, line {one.line}: {one.name}: {what}")
    return numbers


def write_numbers(code: bytes, numbers: Sequence[Number], values: Values) -> bytes:
    """The code with these values, and every other byte as it was."""
    encoding, _ = detect_encoding(BytesIO(code).readline)
    mark, encoding = (BOM_UTF8, "utf-8") if encoding == "utf-8-sig" else (b"", encoding)
    lines = code.removeprefix(mark).splitlines(keepends=True)

    def split_at(line: int, column: int) -> tuple[bytes, bytes]:
        """A line's bytes before a column and from there on; Python counts columns in UTF-8."""
        text = lines[line - 1].decode(encoding)
        before = text.encode()[:column].decode()
        return before.encode(encoding), text[len(before) :].encode(encoding)

    for one in sorted(numbers, key=lambda one: (one.line, one.column), reverse=True):
        before = split_at(one.line, one.column)[0]
        after = split_at(one.last_line, one.last_column)[1]
        text = repr(values[one.name]).encode()
        lines[one.line - 1 : one.last_line] = [before + text + after]
    return mark + b"".join(lines)
