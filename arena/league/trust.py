"""The bots that may run where nothing confines them: house bots, the user's own, and those that the
user agreed to.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from arena.errors import UsageError
from arena.league.bots import HOUSE_BOTS, BotPath
from arena.league.files import hash_source, read_bot
from arena.system.abilities import HAS_WALLS


def trust(*lines: str) -> None:
    """Note hashes of bots that may run, and paths of the user's own. Only where there are no
    walls; where it cannot be written, the user is asked again.
    """
    if HAS_WALLS:
        return
    known = {*_read()}
    if new := [line for line in lines if line not in known]:
        with suppress(OSError):
            _file().parent.mkdir(parents=True, exist_ok=True)
            with _file().open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in new)


def find_trusted() -> Iterator[str]:
    """Yield the hashes of these bots."""
    yield from HOUSE_BOTS.values()
    for line in _read():
        yield line
        if (path := Path(line)).is_absolute():
            with suppress(UsageError):  # it is gone
                yield hash_source(read_bot(BotPath(path.stem, path)))


def _read() -> list[str]:
    with suppress(OSError):
        return _file().read_text("utf-8").splitlines()
    return []


def _file() -> Path:
    from typer import get_app_dir  # slow to load

    return Path(get_app_dir("arena")) / "trusted.txt"
