"""The versions of this installation that a game's bytes can depend on: the same wherever a
tournament is played.

A version number says little of a clone. So arena's and the games' own files are compared by
content.
"""

import hashlib
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

import arena
import games

_SHOWN = 10  # digits of a hash


def installed() -> dict[str, str]:
    """The installed versions, by package."""
    return {
        "Python": platform.python_version(),
        "arena": f"{version('arena')} ({_content(arena.__file__)})",
        "games": _content(games.__file__),
        "msgspec": version("msgspec"),
        "numpy": version("numpy"),
    }


def differences(here: Mapping[str, str], wanted: Mapping[str, str]) -> Iterator[str]:
    """Compare versions: a phrase for each that is installed here in another version than is
    wanted.
    """
    for name, right in wanted.items():
        if here.get(name) != right:
            yield f"{name} is {here.get(name, 'not there')}, not {right}"


def _content(init: str) -> str:
    """A hash of a package's code, by its __init__.py: names and bytes of its *.py."""
    root, found = Path(init).parent, hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        content = file.read_bytes()
        found.update(f"{file.relative_to(root).as_posix()}\0{len(content)}\0".encode() + content)
    return found.hexdigest()[:_SHOWN]
