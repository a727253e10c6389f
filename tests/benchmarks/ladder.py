"""`python -m tests.benchmarks.ladder [GAME PLAYERS BOT] [--games N] [--rounds R]`: where time goes.

A ladder from the bare loop to a whole tournament; each rung adds something to the one before, so
that the steps between them are what those things cost. All rungs in turn, round after round.
Sessions and the lock-step loops keep to one core, as a worker does. Prints CPU time a decision, of
all processes together, and games per CPU-second as a share of the bare loop's.
"""

import argparse
import gc
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec
from multiprocess import get_context
from tabulate import tabulate

import games
from arena.model import Pool
from arena.process.zygote_client import ZygoteClient
from arena.records.format import body_of
from arena.runner.worker import GARBAGE
from arena.sandbox import wire
from arena.sandbox.harness import ask_type
from arena.sandbox.randomness import Generators
from arena.session.player import BATCH
from arena.store.caps import GAMES as CHUNK
from arena.store.chunk import packed
from tests.benchmarks import bare, sessions, tournaments

GAMES, ROUNDS = 4000, 5


class Took(NamedTuple):
    """What some games took."""

    games: int
    decisions: float  # asked, in all of them
    cpu_s: float


class Running:
    """A game on its way, as little of it as will do."""

    __slots__ = ("asked", "number", "state")

    def __init__(self, number: int, state: Any) -> None:
        self.number, self.state = number, state
        self.asked: tuple[Any, ...] = ()


class LockStep:
    """Many games side by side, a forked process a seat: nothing kept in, checked or measured.

    With `seeded`, a game has a seed of its own, and in each bot a generator of its own; with
    `kept`, it leaves a record.
    """

    def __init__(self, pool: Pool, bot: str, seeded: bool, kept: bool) -> None:
        self._rules, self._seats = games.load(pool.game), pool.players
        self._options = self._rules.Options()
        self._seeded, self._kept = seeded, kept
        self._rng = Random()
        self._bodies: list[bytes] = []  # of records
        self._bots: list[Any] = []  # by seat: its process
        self._ends: list[Any] = []  # and our end of its pipe
        view, context = games.bind(self._rules.View, self._options), get_context("fork")
        for _ in range(self._seats):
            ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs, view, bot, seeded))
            process.start()
            self._bots.append(process)
            self._ends.append(ours)

    def play(self, count: int) -> Took:
        """Play so many games and end the processes."""
        began_s = time.process_time() + waited_for_s()
        waiting: list[list[Running]] = [[] for _ in self._ends]
        begun: list[list[wire.Begun]] = [[] for _ in self._ends]
        over: list[list[wire.Over]] = [[] for _ in self._ends]
        decode = msgspec.msgpack.Decoder(wire.Answer).decode
        started = running = decisions = 0
        while started < count or running:
            while started < count and running < BATCH:
                game = Running(started, self._dealt(started))
                if self._seeded:
                    for own in begun:
                        own.append(wire.Begun(started, started.to_bytes(16, "big")))
                started += 1
                running += self._goes_on(game, waiting, over)
            for seat, end in enumerate(self._ends):
                batch, waiting[seat] = waiting[seat][:BATCH], waiting[seat][BATCH:]
                if not batch:
                    continue
                asked = (0, begun[seat], over[seat], [game.asked for game in batch])
                end.send_bytes(wire.encode(asked))
                begun[seat], over[seat] = [], []
                answer = decode(end.recv_bytes())
                decisions += len(batch)
                for game, decision in zip(batch, answer.decisions, strict=True):
                    game.state.apply(decision)
                    running -= not self._goes_on(game, waiting, over)
        self._pack()
        for bot, end in zip(self._bots, self._ends, strict=True):
            end.send_bytes(b"")
            bot.join()
            end.close()
        return Took(count, decisions, time.process_time() + waited_for_s() - began_s)

    def _dealt(self, number: int) -> Any:
        rng = Random(number) if self._seeded else self._rng
        setup = self._rules.deal(self._options, self._seats, rng)
        return self._rules.State(self._options, self._seats, setup)

    def _goes_on(
        self, game: Running, waiting: list[list[Running]], over: list[list[wire.Over]]
    ) -> bool:
        """Queue a game's next question; return whether there is one, or else it is over."""
        state = game.state
        while (seat := state.turn) is not None:
            if state.choice():
                game.asked = state.fields(seat, game.number)
                waiting[seat].append(game)
                return True
            state.apply(state.legal()[0])
        if self._seeded:
            for own in over:
                own.append(wire.Over(game.number, None))
        if self._kept:
            self._bodies.append(body_of(self._rules, state, state.result()))
            if len(self._bodies) == CHUNK:
                self._pack()
        return False

    def _pack(self) -> None:
        packed(self._bodies)
        self._bodies.clear()


def serve(end: Any, view: Any, bot: str, seeded: bool) -> None:
    """Answer for one seat until an empty message comes."""
    decode = msgspec.msgpack.Decoder(ask_type(view)).decode
    decide, generators = bare.decide_of(bot), Generators()
    if seeded:
        generators.install()
    while body := end.recv_bytes():
        number, begun, over, views = decode(body)
        for table, seed in begun:
            generators.begin(table, seed)
        for table, _ in over:
            generators.forget(table)
        decisions = []
        for each in views:
            generators.table = each.table
            decisions.append(decide(each))
        end.send_bytes(wire.encode(wire.Answer(number, decisions, [])))


def waited_for_s() -> float:
    """Return the CPU time of all processes that this one has waited for, in s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_the_bare_loop(pool: Pool, bot: str, count: int) -> Took:
    """Play without any process but this."""
    found = bare.main(pool.game, pool.players, bot, count)
    return Took(count, found["decisions"] * count, found["cpu_s"])


def in_a_session(zygote: ZygoteClient, pool: Pool, bot: str, count: int) -> Took:
    """Play one session; `tests.benchmarks.history` calls this by name in other commits."""
    took = sessions.play(zygote, pool, bare.source_of(bot), count)
    return Took(took.games, took.decisions, took.cpu_s)


def in_a_tournament(pool: Pool, bot: str, count: int, decisions_a_game: float) -> Took:
    """Play a whole tournament through the command line, its start and end included."""
    tournament = tournaments.of_one_line_up(pool.game, pool.players, bot, 1, count)
    cost = tournaments.cost(tournament)
    return Took(tournament.games, decisions_a_game * tournament.games, cost.cpu_s)


def rungs(zygote: ZygoteClient, pool: Pool, bot: str, count: int) -> dict[str, Callable[[], Took]]:
    """Return the ladder from the bottom: a rung's name, and what measures it."""
    decisions = in_the_bare_loop(pool, bot, 1).decisions

    @sessions.on_one_core()
    def lock_step(seeded: bool, kept: bool) -> Took:
        return LockStep(pool, bot, seeded, kept).play(count)

    @sessions.on_one_core()
    def session() -> Took:
        return in_a_session(zygote, pool, bot, count)

    return {
        "bare loop": lambda: in_the_bare_loop(pool, bot, count),
        "lock-step over pipes": lambda: lock_step(False, False),
        "+ seeds and generators a game": lambda: lock_step(True, False),
        "+ records": lambda: lock_step(True, True),
        "session: + walls, limits, faults": session,
        "tournament: + store, tables, start": lambda: in_a_tournament(pool, bot, count, decisions),
    }


def table(measured: dict[str, list[Took]]) -> str:
    """Return the medians, and the share of the bare loop's speed with minimum and maximum."""
    first = next(iter(measured.values()))
    rows = []
    for name, rounds in measured.items():
        each_us = statistics.median(took.cpu_s / took.decisions * 1e6 for took in rounds)
        shares = [
            took.games / took.cpu_s / (alone.games / alone.cpu_s)
            for took, alone in zip(rounds, first, strict=True)
        ]
        spread = f"{min(shares):.2f}..{max(shares):.2f}"
        rows.append((name, f"{each_us:.2f}", f"{statistics.median(shares):.2f}", spread))
    heads = ("rung", "us a decision", "of the bare loop", "min..max")
    return tabulate(rows, heads, disable_numparse=True, colalign=("left", *["right"] * 3))


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="ladder", description="Say where the time goes.")
    parser.add_argument("game", nargs="?", default="no_thanks", metavar="GAME")
    parser.add_argument("players", nargs="?", type=int, default=3, metavar="PLAYERS")
    parser.add_argument("bot", nargs="?", default="random_choice", metavar="BOT")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="a rung and round")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R")
    given = parser.parse_args(words)
    gc.freeze()
    gc.set_threshold(GARBAGE)  # as in a worker
    pool = tournaments.pool_of(given.game, given.players)
    with sessions.on_one_core():
        zygote = ZygoteClient()
    ladder = rungs(zygote, pool, given.bot, given.games)
    measured: dict[str, list[Took]] = {name: [] for name in ladder}
    for _ in range(given.rounds):
        for name, measure in ladder.items():
            measured[name].append(measure())
    zygote.close()
    print(table(measured))


if __name__ == "__main__":
    main()
