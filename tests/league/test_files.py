"""A bot's files while somebody changes them: what is read is theirs, or nothing is.

Whoever owns a file may put a link in its place at any moment. Here every moment is tried: the swap
happens before the first call of a C function that reading makes, then before the second, and so on.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from arena.errors import UsageError
from arena.league.bots import BotPath
from arena.league.files import Source, read_bot
from tests.processes import within

OWN, SECRET = b"the bot's", b"another's"


def calls_until(done: Callable[[], object], swap: Callable[[], object], moment: int) -> bool:
    """Do something with a swap before its nth call of a C function; return if there was one."""
    calls = 0

    def look(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        if event == "c_call":
            calls += 1
            if calls == moment:
                swap()

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        done()
    finally:
        sys.setprofile(before)
    return calls >= moment


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Beside the bots, files that are none of theirs."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "private").mkdir()
    for name in ("secret", "private/data"):
        (tmp_path / name).write_bytes(SECRET)
    return tmp_path


def write(bots: Path) -> None:
    """Write the bots as they are before the swap."""
    shutil.rmtree(bots)
    (bots / "bob" / "own").mkdir(parents=True)
    for name in ("ann.py", "bob/bot.py", "bob/own/data"):
        (bots / name).write_bytes(OWN)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("bot", "swapped", "into"),
    [
        ("ann.py", "ann.py", "secret"),
        ("bob", "bob/bot.py", "secret"),
        ("bob", "bob/own/data", "secret"),
        ("bob", "bob/own", "private"),
        ("bob", "bob", "private"),
        ("ann.py", "ann.py", "pipe"),
        ("bob", "bob/own", "pipe"),
        ("bob", "bob/own/data", "pipe"),
    ],
)
def test_what_is_swapped_while_it_is_read_is_the_bot_s_or_nothing(
    folder: Path, bot: str, swapped: str, into: str
) -> None:
    bots, place = folder / "bots", folder / "bots" / swapped
    os.mkfifo(folder / "pipe")
    read: list[Source] = []
    refused: list[str] = []

    def swap() -> None:
        place.rename(folder / f"was-{moment}")
        if into == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to(folder / into)

    def reads() -> None:
        try:
            read.append(read_bot(BotPath("ann", bots / bot)))
        except UsageError as error:
            refused.append(str(error))

    moment, on = 0, True
    while on:
        moment += 1
        write(bots)
        with within(5):
            on = calls_until(reads, swap, moment)
    assert moment > 5
    assert {content for source in read for _, content in source.files} == {OWN}
    assert refused
