"""Bots that do wrong, many to a file: those of `tests/hostile` and of `tests/first_bots`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.league.files import Source
from tests.places import ROOT


class WrongBot(NamedTuple):
    """A bot, the fault that it must earn, or `play on`, and what stands beside that."""

    name: str
    fault: str
    note: str
    source: Source


def read_bots(file: Path) -> Iterator[WrongBot]:
    """Yield the bots of a file: `#: name (fault) ...` begins a bot, `#> name` another file of its
    folder. What stands above the first belongs to all; `#< name` there stands for a file beside it.

    Bots are written in Latin-1, so that one with an accent is not UTF-8; ␀ stands for a zero.
    """
    head, *texts = re.split(r"^(?=#: )", file.read_text("utf-8"), flags=re.MULTILINE)
    head = re.sub(r"#< (\S+)\n", lambda named: (file.parent / named[1]).read_text("utf-8"), head)
    for text in texts:
        title = re.match(r"#: (\w+) \(([a-z ]+)\) ?(.*)", text)
        assert title, f"{file}: {text}"
        bot, *others = re.split(r"^#> (\S+)\n", head + text, flags=re.MULTILINE)
        files = {"bot.py": bot, **dict(zip(others[::2], others[1::2], strict=True))}
        encoded = [(name, files[name].replace("␀", "\0").encode("latin-1")) for name in files]
        source = Source(tuple(sorted(encoded)), bool(others))
        yield WrongBot(title[1], title[2], title[3], source)


MISTAKES = [*read_bots(ROOT / "tests" / "first_bots" / "mistakes.py")]
"""What first bots get wrong; beside the fault stands a part of the remedy."""


def write_among(folder: Path, bot: WrongBot) -> Path:
    """Write a bot as a file, and what else is in its folder beside that; return the file."""
    for name, content in bot.source.files:
        (folder / (f"{bot.name}.py" if name == "bot.py" else name)).write_bytes(content)
    return folder / f"{bot.name}.py"
