"""Plays sessions of bots given as source text, for tests: no config, no store, no workers."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from arena import ids
from arena.model import Bot, Entry, Limits, Played, Pool, Reason, Tally
from arena.process.zygote_client import ZygoteClient
from arena.records.record import make_line
from arena.schedule.order import Schedule
from arena.session.game import Script
from arena.session.session import Job, Session
from tests.places import source

FIRST, CHANCE = source("first"), source("chance")
SECRET = b"secret" * 3
LIMITS = Limits(cpu_ms=100, load_ms=1000, memory_mib=128, max_output_kib=16)


class Bench:
    """A zygote and a folder for snapshots."""

    def __init__(self, zygote: ZygoteClient, folder: Path) -> None:
        self.zygote, self.folder = zygote, folder
        self.tallies: dict[str, Tally] = {}
        self.played: list[Played] = []

    def play(
        self,
        bots: Mapping[str, str],
        pool: Pool = Pool("no_thanks", 3, "{}", ""),  # noqa: B008 (a frozen value)
        deals: int = 10,
        unloaded: Mapping[str, str] | None = None,
        limits: Limits = LIMITS,
        only: Iterable[str] | None = None,
        pulse: Callable[[], None] = lambda: None,
        script: Script | None = None,
    ) -> dict[str, dict[str, Any]]:
        """Return the records by id, of all games or those in `only`.

        A game's id comes from the bots' names alone, so that one bot may be swapped for another
        that should play the same.
        """
        paths = {}
        for name, text in bots.items():
            paths[name] = self._write(text)
        entered = tuple(Bot(name, "0") for name in sorted(bots))
        entry = Entry(pool, entered, deals, pool.entrants, False)
        identity = ids.Identity(pool, 1, LIMITS, "walls", False)
        games = [f for f in Schedule(entry, identity) if only is None or f.id in only]
        why = {name: Reason("load", what) for name, what in (unloaded or {}).items()}
        job = Job(pool, limits, False, tuple(games), SECRET, why)
        self.played = []
        emit = self.played.append
        tallies = Session(job, paths, self.zygote, emit, pulse, script=script).play()
        self.tallies = {tally.bot: tally for tally in tallies}
        return {game.fixture.id: json.loads(line_of(pool, game)) for game in self.played}

    def _write(self, source: str) -> str:
        folder = self.folder / hashlib.sha256(source.encode()).hexdigest()[:12]
        folder.mkdir(exist_ok=True)
        (folder / "bot.py").write_text(source)
        return str(folder)


def line_of(pool: Pool, game: Played) -> bytes:
    """Return the record of a game that was played."""
    return make_line(pool, game.fixture, game.forfeits, game.body)


def faults(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (bot, kind) of each fault in a record."""
    return [(record["meta"]["bots"][seat], kind) for seat, kind, _ in record["meta"]["faults"]]
