"""A TOML file: its values, and where each of them stands; or what is wrong, with its line."""

import re
import tomllib
from pathlib import Path
from typing import Any

from arena.errors import UsageError
from arena.hints import nearest
from arena.plan.toml_lines import KeyPath, lines_of

MOST_BYTES = 1 << 20
"""Of a config: one of a thousand [[games]] has a tenth."""


class ConfigError(UsageError):
    """What is wrong with a config, one line each, in the order of the lines."""


def read(path: Path) -> tuple[dict[str, Any], dict[KeyPath, int]]:
    """Return the file's values, and the line of each. Raises ConfigError."""
    text = _text(path)
    return _values(path, text), lines_of(text)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise ConfigError(f"{path}: is a folder; name the TOML file in it") from None
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
        raise ConfigError(f"{path}:{line}: found the byte {byte:#04x}; save it as UTF-8") from None


def _meant(path: Path) -> str:
    """Return which file may have been meant."""
    near = nearest(path.name, [each.name for each in path.parent.glob("*.toml")])
    if near:
        return f"did you mean {path.with_name(near)}?"
    return "name a tournament's TOML file, such as tournaments/quick.toml"


def _values(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{path}:1: is nested too deep") from None
    except ValueError as error:  # TOMLDecodeError, or a number of too many digits
        place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
        what = str(error)[: place.start()] if place else str(error)
        if place and place[1]:
            where, column = int(place[1]), f" (column {place[2]})"
        else:
            where, column = text.rstrip("\n").count("\n") + 1, ""
        raise ConfigError(f"{path}:{where}: is not TOML: {what}{column}") from None
