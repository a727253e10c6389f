"""The versions installed here: what results can depend on, and how two machines differ.

A version number says little of a clone. So hosts of a tournament, which are to play the same games,
compare arena's and the games' own files by content.
"""

import hashlib
import platform
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import distributions, version
from pathlib import Path

import arena
import games

PACKAGES = ("arena", "msgspec", "numpy", "trueskill")
"""The packages that results can depend on."""
_SHOWN = 10  # digits of a hash


def result_versions() -> dict[str, str]:
    """The versions that results can depend on, as results keep them."""
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def installed_versions() -> dict[str, str]:
    """The versions that a game's bytes can depend on, the same wherever a tournament is played."""
    return {
        "Python": platform.python_version(),
        "arena": f"{version('arena')} ({_hash_package(arena.__file__)})",
        "games": _hash_package(games.__file__),
        "msgspec": version("msgspec"),
        "numpy": version("numpy"),
    }


@cache
def all_versions() -> tuple[dict[str, str], list[str]]:
    """The installed versions, and every installed package with its version: all that the loading of
    a bot can depend on.
    """
    return installed_versions(), sorted(f"{each.name} {each.version}" for each in distributions())


def version_differences(here: Mapping[str, str], wanted: Mapping[str, str]) -> Iterator[str]:
    """A phrase for each package whose version here is not the one wanted."""
    for name, right in wanted.items():
        if here.get(name) != right:
            yield f"{name} is {here.get(name, 'not there')}, not {right}"


def _hash_package(init: str) -> str:
    """A hash of a package's code, by its __init__.py: names and bytes of its *.py."""
    root, digest = Path(init).parent, hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(root).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:_SHOWN]
