"""The entries of a tournament: every bot that its globs find, read once.

Entries are strangers', and no entry stops a league: one that cannot be read, has another's name or
takes too much room is refused alone, and then plays as a bot that cannot be loaded.
"""

import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.errors import UsageError
from arena.league.bots import BotPath
from arena.league.files import (
    MAX_MIB,
    Source,
    explain_write_errors,
    find_place,
    hash_source,
    measure_bot,
    read_bot,
)
from arena.model import Bot, BotFiles, StoredPlan
from arena.words import visible

MOST_MIB = 8 * MAX_MIB
"""Of all bots together: half a MiB each for a thousand. A run writes all of them three times: into
a file of its own, the store, and copies in TMPDIR, which often is memory. Hosts are sent them."""

Known = Callable[[], Mapping[str, Sequence[str]]]
"""The hashes by which results know bots, by name, the likeliest first: called once, where
entries have one name."""


class Sources(Mapping[str, Source]):
    """Bots' files by the bot's name, in an unnamed file: together they may be too many for memory.
    Raises ArenaError where they cannot be written.
    """

    def __init__(self) -> None:
        here = find_place()
        with explain_write_errors(here):
            self._file = tempfile.TemporaryFile(buffering=0, dir=here)  # noqa: SIM115 (open as long as we are)
        weakref.finalize(self, self._file.close)
        self._places: dict[str, tuple[int, int]] = {}  # offset and bytes
        self.folders = set[str]()  # bots that are no single files
        self._end = 0

    def add(self, name: str, source: Source) -> None:
        packed = msgspec.msgpack.encode(source)
        with explain_write_errors(find_place()):
            self._file.seek(self._end)
            left = memoryview(packed)
            while left:
                left = left[self._file.write(left) :]
        self._places[name] = self._end, len(packed)
        self._end += len(packed)
        if source.is_folder:
            self.folders.add(name)

    def __getitem__(self, name: str) -> Source:
        offset, size = self._places[name]
        self._file.seek(offset)
        return msgspec.msgpack.decode(self._file.read(size), type=Source)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Entries(NamedTuple):
    """The bots that enter a tournament, and why others do not."""

    bots: list[Bot]  # by name
    sources: Sources
    refused: dict[str, str]  # some of the bots, by name: why they cannot be loaded
    left_out: list[str]  # entries that are no bots: why, and what to do


def read_entries(
    folder: Path, bots: Sequence[BotPath], known: Known = dict, most_mib: int = MOST_MIB
) -> Entries:
    """Read the bots of some entries in a league's folder.

    A refused bot has a word about that in place of its files. Of entries with one name, the one
    plays that the results know by its hash; where they know none, all are refused as one bot. The
    smallest are read first, so that large ones are left without room.
    """
    sources, refused, left_out = Sources(), dict[str, str](), list[str]()
    hashes, chosen, known = dict[str, str](), list[BotPath](), cache(known)
    for name, group in groupby(sorted(bots), attrgetter("name")):
        entries = list(group)
        bot = entries[0] if len(entries) == 1 else _choose_known(entries, known().get(name, ()))
        paths = {entry: visible(entry.path.relative_to(folder).as_posix()) for entry in entries}
        if bot is None:
            listed = " and ".join(paths.values())
            refused[name] = f"{listed} have the same name, {name!r}; rename one of them"
            continue
        chosen.append(bot)
        left_out += [
            f"{path}: skipped: it has the same name, {name!r}, as {paths[bot]}, which has "
            f"results already; rename it"
            for entry, path in paths.items()
            if entry != bot
        ]
    room = most_mib << 20
    for size, bot in sorted((measure_bot(bot), bot) for bot in chosen):
        try:
            hashes[bot.name], took = _take(sources, bot, size, room, most_mib)
            room -= took
        except UsageError as error:
            refused[bot.name] = str(error).replace(f"{folder}/", "")
    for name in refused:
        source = Source((("refused", f"{name} could not be read, so it did not play\n".encode()),))
        hashes[name] = hash_source(source)
        sources.add(name, source)
    return Entries([Bot(name, hashes[name]) for name in sorted(hashes)], sources, refused, left_out)


def restore_entries(
    plan: StoredPlan, stored_files: Iterable[BotFiles], closes: str, here: Iterable[Bot]
) -> Entries:
    """The bots that a tournament closed with, as they were kept, and how those that are here
    differ.
    """
    sources, refused = Sources(), dict[str, str]()
    for bot, files in stored_files:
        sources.add(bot.name, Source(files, bot.name in plan.folders))
        if [name for name, _ in files] == ["refused"]:
            refused[bot.name] = (
                f"{bot.name} could not be read in the run of {plan.run_began:%Y-%m-%d}"
            )
    now, then = ({bot.name: bot.hash for bot in bots} for bots in (here, plan.bots))
    changed = {name: "changed" for name in now.keys() & then.keys() if now[name] != then[name]}
    others = changed | dict.fromkeys(now.keys() - then.keys(), "new")
    note = f"Closed since {closes}: the bots of the run of {plan.run_began} play."
    if others:
        listed = ", ".join(f"{name} ({why})" for name, why in sorted(others.items()))
        note += f" Not played: {listed}."
    if gone := sorted(then.keys() - now.keys()):
        note += f" Still playing: {', '.join(gone)} (not in the league's folder now)."
    return Entries([*plan.bots], sources, refused, [note])


def _choose_known(entries: Sequence[BotPath], known: Sequence[str]) -> BotPath | None:
    """The first entry that is the bot of the likeliest hash that any entry has; None if none is."""
    hashes = dict[str, BotPath]()
    for bot in reversed(entries if known else ()):
        with suppress(UsageError):
            hashes[hash_source(read_bot(bot))] = bot
    return next((hashes[hash] for hash in known if hash in hashes), None)


def _take(sources: Sources, bot: BotPath, size: int, room: int, most_mib: int) -> tuple[str, int]:
    """Keep the files of a bot that seems to have that size; return their hash and bytes. Raises
    UsageError where they cannot be read, or find no `room`.
    """
    if size > MAX_MIB << 20:
        raise UsageError(f"{bot.path}: the bot is larger than {MAX_MIB} MiB; make it smaller")
    source = read_bot(bot) if size <= room else None
    if source is None or source.size > room:
        raise UsageError(
            f"{bot.path}: all bots together are larger than {most_mib} MiB, and this is one of "
            f"the largest; make it smaller"
        )
    sources.add(bot.name, source)
    return hash_source(source), source.size
