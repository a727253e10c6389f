"""A TOML file: its values and their lines; or its errors, with their lines.

`tomllib` gives values without their places, so a second, simpler scan of the text finds the lines.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.errors import UsageError
from arena.system.folders import read_ordinary_file
from arena.words import nearest

KeyPath = tuple[str | int, ...]
"""Keys and indices from the top: `("games", 1, "players", 0)`."""

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*'""")
_TEXT = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}(?!")|' + r"'''.*?'{3,5}(?!')|" + r'"(?:\\.|[^"\\])*"|' + r"'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\r\n]+")  # numbers, true, dates, also with a space within


def find_lines(text: str) -> dict[KeyPath, int]:
    """The line, from 1, of each table, key and element of a list.

    A key has the line it is named on first, a table that of its header, an element that where it
    begins. Text that tomllib refuses gives no sensible answer.
    """
    return _Scanner(text).scan()


def find_line(lines: Mapping[KeyPath, int], path: Sequence[str | int]) -> int:
    """The line of the path, or of the nearest that holds it; 1 if there is none."""
    for length in range(len(path), 0, -1):
        line = lines.get(tuple(path[:length]))
        if line is not None:
            return line
    return 1


def format_path(path: KeyPath) -> str:
    """Write the path as messages have it: `games[2].players`, counted from 0."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.breaks = [place.start() for place in re.finditer("\n", text)]
        self.found: dict[KeyPath, int] = {}
        self.elements: dict[KeyPath, int] = {}  # how many [[...]] of a name so far

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self.skip(_SPACE) < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
        return self.found

    def header(self) -> KeyPath:
        """Step over `[a.b]` or `[[a.b]]`; return the table's path."""
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        line = self.line()
        self.at += brackets
        *outer, last = self.keys()
        self.at += brackets
        path: KeyPath = ()
        for key in outer:
            path = (*path, key)
            self.found.setdefault(path, line)
            if path in self.elements:
                path = (*path, self.elements[path] - 1)
        path = (*path, last)
        self.found.setdefault(path, line)
        if brackets == 2:
            self.elements[path] = self.elements.get(path, 0) + 1
            path = (*path, self.elements[path] - 1)
            self.found[path] = line
        return path

    def pair(self, table: KeyPath) -> None:
        """Step over `key = value` of a table."""
        line, path = self.line(), table
        for key in self.keys():
            path = (*path, key)
            self.found.setdefault(path, line)
        self.at += 1  # the =
        self.value(path)

    def keys(self) -> list[str]:
        """Step over a dotted key and the blanks round it."""
        keys = []
        while True:
            self.skip(_BLANK)
            written = self.take(_KEY)
            keys.append(tomllib.loads(f"k={written}")["k"] if written[0] in "\"'" else written)
            self.skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def value(self, path: KeyPath) -> None:
        self.skip(_BLANK)
        opening = self.text[self.at]
        if opening in "\"'":
            self.take(_TEXT)
        elif opening in "[{":
            self.at += 1
            number = 0
            while self.text[self.skip(_SPACE)] not in "]}":
                if self.text[self.at] == ",":
                    self.at += 1
                elif opening == "{":
                    self.pair(path)
                else:
                    self.found[(*path, number)] = self.line()
                    self.value((*path, number))
                    number += 1
            self.at += 1
        else:
            self.take(_SCALAR)

    def line(self) -> int:
        return bisect_right(self.breaks, self.at) + 1

    def skip(self, pattern: re.Pattern[str]) -> int:
        """Step over what matches, if anything; return the place after it."""
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def take(self, pattern: re.Pattern[str]) -> str:
        """Step over what matches, which must be there; return it."""
        match = pattern.match(self.text, self.at)
        if match is None:
            raise ValueError(f"line {self.line()}: not TOML")
        self.at = match.end()
        return match[0]


MOST_BYTES = 1 << 20
"""Of a config: one of a thousand [[games]] has a tenth."""

_DEEP = re.compile(r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}""")
"""A key of more parts than any has: for one of n parts, tomllib takes n * n words of memory."""


class ConfigError(UsageError):
    """The errors of a config, one line each, in the order of the lines."""


def read_toml(path: Path) -> tuple[dict[str, Any], dict[KeyPath, int]]:
    """The file's values, and the line of each. Raises ConfigError."""
    text = _text(path)
    return _values(path, text), find_lines(text)


def _text(path: Path) -> str:
    try:
        content = read_ordinary_file(path, MOST_BYTES + 1)
    except IsADirectoryError:
        raise ConfigError(f"{path}: is a folder; name a TOML file in it") from None
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; {_meant(path)}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise ConfigError(f"{path}: is longer than {MOST_BYTES >> 20} MiB; name the TOML file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise ConfigError(
            f"{path}:{line}: found byte {byte:#04x}, not UTF-8; save the file as UTF-8"
        ) from None


def _meant(path: Path) -> str:
    near = nearest(path.name, [config.name for config in path.parent.glob("*.toml")])
    if near:
        return f"did you mean {path.with_name(near)}?"
    return "name a tournament's TOML file, such as tournaments/NAME.toml"


def _values(path: Path, text: str) -> dict[str, Any]:
    if deep := _DEEP.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        raise ConfigError(f"{path}:{line}: nested too deeply")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{path}:1: nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, or a number of too many digits
        place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
        what = str(error)[: place.start()] if place else str(error)
        if place and place[1]:
            where, column = int(place[1]), f" (column {place[2]})"
        else:
            where, column = text.rstrip("\n").count("\n") + 1, ""
        raise ConfigError(f"{path}:{where}: is not TOML: {what}{column}") from None
