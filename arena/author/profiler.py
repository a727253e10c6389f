"""Profiles a bot: each question, its decision, and their cost.

A profiled process takes batches like any other but asks the bot one question at a time, so that
each decision has its own cost. Only `arena check` does so; in a tournament a batch is one message.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple, cast

from arena.author.check_report import BotKind, Load
from arena.model import Bot, Limits, Played, Pool, Reason, Tally
from arena.process.bot_process import BotProcess
from arena.process.death import Death
from arena.process.launch import Client
from arena.sandbox import wire


class Decision(NamedTuple):
    """A question, and the bot's answer."""

    fields: tuple[Any, ...]  # of the view, in the order of the game's `View`
    decision: str | None  # "" if it gave none; None: the process died


class Loaded(NamedTuple):
    """A bot that was loaded, or was tried to."""

    problem: Reason | None  # of kind `load`; None: it is loaded
    load: Load  # what it took
    printed: str


@dataclass
class PoolGames:
    """The games of a check in one pool: those played, and what the bot was asked and used."""

    pool: Pool
    bots: Sequence[Bot]  # all that play in it, by name
    played: list[Played] = field(default_factory=list)
    tallies: list[Tally] = field(default_factory=list)  # of the bot's sessions
    asked: dict[int, list[Decision]] = field(default_factory=dict)  # by `view.table`, oldest first
    costs: list[tuple[tuple[Any, ...], float]] = field(default_factory=list)
    """Questions, and the CPU time in s of each."""
    waited_s: float = 0.0  # wall time, for its answers
    queued_s: float = 0.0  # of that, its process waited for a core
    memory_mib: float = 0.0  # the most that any of its processes had


def measure_load(client: Client, snapshot: Path, limits: Limits) -> Loaded:
    """Load the bot of that snapshot once, alone, and measure it."""
    process = client.start(snapshot, limits)
    problem = process.load()
    used_mib = None if problem else process.body.peak_mib(limits.memory_mib)
    load = Load(
        interface="" if problem else cast(BotKind, process.kind),
        cpu_ms=round(1000 * (process.used_s if problem else process.body.used_s()), 1),
        cpu_limit_ms=limits.load_ms,
        memory_mib=None if used_mib is None else round(used_mib, 1),
        memory_limit_mib=limits.memory_mib,
    )
    process.end()
    return Loaded(problem, load, process.printed)


class Profiler:
    """Starts bots' processes; those of the bot with that snapshot are profiled.

    `alone`: ask it one question at a time; else as questions come.
    """

    def __init__(
        self, opponents: "Opponents", snapshot: str, games: PoolGames, alone: bool
    ) -> None:
        self._opponents, self._snapshot, self._game = opponents, snapshot, games.pool.game
        self._profiled = partial(_ProfiledProcess, games, alone)

    def start(self, path: Path, limits: Limits) -> BotProcess:
        """Start a process for the bot whose snapshot is the folder `path`."""
        if str(path) == self._snapshot:
            return self._opponents.client.start(path, limits, self._profiled)
        return self._opponents.start(path, limits, self._game)


class Opponents:
    """The house bots' processes. They play on in their game's next sessions: to start more for
    each took a sixth of a check's CPU time.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self._idle: dict[tuple[Path, str], list[BotProcess]] = {}  # by snapshot and game

    def start(self, path: Path, limits: Limits, game: str) -> BotProcess:
        """Take an idle process of that bot and game, or start one."""
        idle = self._idle.setdefault((path, game), [])
        return idle.pop() if idle else self.client.start(path, limits, partial(_Opponent, idle))

    def close(self) -> None:
        """End them all."""
        for process in chain.from_iterable(self._idle.values()):
            BotProcess.end(process)


class _Opponent(BotProcess):
    """A process that becomes idle at its end, and forgets its games: some are played again."""

    def __init__(self, idle: list[BotProcess], *given: Any) -> None:
        super().__init__(*given)
        self._idle, self._told = idle, False
        self._tables = set[int]()  # of games that are not over

    def load(self) -> Reason | None:
        return None if self.kind else super().load()

    def tell(self, hello: wire.Hello) -> None:
        if not self._told:
            super().tell(hello)
        self._told = True

    def ask(
        self, begun: list[wire.Begun], over: list[wire.Over], views: Sequence[Any]
    ) -> wire.Answer | Death:
        self._tables.update(game.table for game in begun)
        self._tables.difference_update(game.table for game in over)
        return super().ask(begun, over, views)

    def end(self) -> None:
        if not self._ended:
            self.ask([], [wire.Over(table, None) for table in self._tables], [])
        if not self._ended:
            self._idle.append(self)


class _ProfiledProcess(BotProcess):
    """A process that keeps what it is asked; if `alone`, one question at a time."""

    def __init__(self, games: PoolGames, alone: bool, *given: Any) -> None:
        super().__init__(*given)
        self._games, self._alone = games, alone

    def ask(
        self, begun: list[wire.Begun], over: list[wire.Over], views: Sequence[Any]
    ) -> wire.Answer | Death:
        """Ask a batch, question by question if `alone`; the answers come back as one."""
        for game in begun:  # also where a new process replaces one that died
            self._games.asked[game.table] = []
        size = 1 if self._alone else max(1, len(views))
        whole, queued_s = wire.Answer(0, [], []), self.body.queued_s()
        for first in range(0, max(1, len(views)), size):
            part = views[first : first + size]
            answer = self._ask_part([] if first else begun, [] if first else over, part)
            if isinstance(answer, Death):
                return answer._replace(question=first + answer.question)
            whole.decisions.extend(answer.decisions)
            whole.failures.extend(
                failure._replace(question=first + failure.question)
                if failure.question >= 0
                else failure
                for failure in answer.failures
            )
            if len(answer.decisions) < len(part):
                break  # it has run out of memory
        self._games.queued_s += self.body.queued_s() - queued_s
        return whole

    def end(self) -> None:
        """Look up the memory that the process used, then end it."""
        if not self._ended:
            used = self.body.peak_mib(self._limits.memory_mib) or 0.0
            self._games.memory_mib = max(self._games.memory_mib, used)
        super().end()

    def _ask_part(
        self, begun: list[wire.Begun], over: list[wire.Over], views: Sequence[Any]
    ) -> wire.Answer | Death:
        games, worst_s, asked_s = self._games, self.worst_s, time.monotonic()
        self.worst_s = 0.0  # from here on: of this message
        answer = super().ask(begun, over, views)
        games.waited_s += time.monotonic() - asked_s
        cost_s, self.worst_s = self.worst_s, max(worst_s, self.worst_s)
        if isinstance(answer, Death):
            if views:
                view = views[answer.question]
                games.asked[view[0]].append(Decision(view, None))
            return answer
        if self._alone and len(answer.decisions) == 1:
            games.costs.append((views[0], cost_s))
        if self.kind == "decide_many" and cost_s * len(views) > self._limits.cpu_ms / 1000:
            self._alone = True  # one of them may be too slow, which only shows alone
        for view, decision in zip_longest(views[: len(answer.decisions) + 1], answer.decisions):
            games.asked[view[0]].append(Decision(view, decision))
        return answer
