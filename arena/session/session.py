"""A session: many games of one pool played side by side, one process a bot (two in a team).

The loop visits the bots in a fixed order: all games that wait for this bot go to it as one
message, its decisions are applied, and finished games make room for the next. So the price of a
process boundary is paid once a batch. A game's course depends on its deal and its bots alone,
never on what else is in the session.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import games
from arena import ids
from arena.model import Fault, Fixture, Limits, Played, Pool, Reason, Tally
from arena.process.zygote_client import ZygoteClient
from arena.records.format import line_of, meta_of, packed, record_of
from arena.sandbox import wire
from arena.session.game import Table
from arena.session.player import BATCH, Lost, Reply, Slot
from games import Game, IllegalAction


class Job(NamedTuple):
    """One session's work: all that a worker needs, and nothing of it goes to a bot."""

    pool: Pool
    limits: Limits
    duplicate: bool  # whether the seatings of a line-up share their decks
    fixtures: Sequence[Fixture]
    secret: bytes
    paths: dict[str, str]  # a bot's name: the folder of its snapshot
    unloaded: dict[str, str]  # bots that cannot be loaded: why


class Session:
    """Plays a job. `emit` takes each finished game; `pulse` is called after each batch."""

    def __init__(
        self,
        job: Job,
        zygote: ZygoteClient,
        emit: Callable[[Played], None],
        pulse: Callable[[], None],
    ) -> None:
        self._job, self._emit, self._pulse = job, emit, pulse
        self._game: Game = games.load(job.pool.game)
        self._given: dict[str, Any] = json.loads(job.pool.options)
        self._options = games.options_from(self._game.Options, self._given)
        self._key = ids.bots_key(job.secret)
        # By id, a hash: so that all bots have about as many games in flight. In the schedule's
        # order the first bots would be in all of them, and the others' batches nearly empty.
        self._fixtures: Iterator[Fixture] = iter(sorted(job.fixtures, key=lambda game: game.id))
        self._open = 0
        hello = wire.Hello(job.pool.game, self._given)
        names = sorted({bot.name for fixture in job.fixtures for bot in fixture.line_up})
        halves = 2 if job.pool.partners == "same" else 1  # partners share nothing
        self._slots = {
            (name, half): Slot(Path(job.paths[name]), hello, zygote, job.limits)
            for name in names
            for half in range(halves)
        }
        for (name, _), slot in self._slots.items():
            if name in job.unloaded:
                slot.lost = Reason("load", job.unloaded[name])
        self._room = -(-BATCH * len(self._slots) // job.pool.players)

    def play(self) -> list[Tally]:
        """Play all games; return what each bot used, in the order of their names."""
        try:
            self._refill()
            while self._open:
                for slot in self._slots.values():
                    if slot.waiting:
                        for reply in slot.ask():
                            self._settle(reply)
                        self._refill()
                        self._pulse()
        except BaseException:  # `pulse` may want it to end
            for slot in self._slots.values():
                slot.end()
            raise
        return [self._tally(name) for name in dict.fromkeys(name for name, _ in self._slots)]

    def _refill(self) -> None:
        """Begin games until the session is full again, in the schedule's order."""
        while self._open < self._room:
            fixture = next(self._fixtures, None)
            if fixture is None:
                return
            self._open += 1
            self._begin(fixture)

    def _begin(self, fixture: Fixture) -> None:
        job, game = self._job, self._game
        seed = ids.deal_seed(
            job.secret, job.pool, fixture.line_up, fixture.deal,
            None if job.duplicate else fixture.seating,
        )  # fmt: skip
        seats = job.pool.players
        setup = game.deal(self._options, seats, Random(seed))
        table = Table(
            fixture, lambda dealt: game.State(self._options, seats, dealt), setup,
            [self._slot(fixture, seat) for seat in range(seats)], self._key,
        )  # fmt: skip
        for seat, slot in enumerate(table.slots):
            slot.begin(table, seat)
        for seat, slot in enumerate(table.slots):
            if slot.lost and table.state.turn is not None:
                self._forfeit(table, seat, slot.lost)
        self._go_on(table)

    def _slot(self, fixture: Fixture, seat: int) -> Slot:
        """Return who plays a seat: in a team, each partner has a process of its own."""
        name = fixture.line_up[fixture.seating[seat]].name
        first = self._job.pool.partners != "same" or seat < 2
        return self._slots[name, 0 if first else 1]

    def _settle(self, reply: Reply) -> None:
        """Apply what a bot answered, and queue each game for whoever decides next in it."""
        if isinstance(reply, Lost):
            self._fault(*reply)
            return
        for table, decision in zip(reply.tables, reply.decisions, strict=True):
            state = table.state
            if isinstance(decision, str):
                try:
                    state.apply(decision)
                except IllegalAction as error:
                    decision = Reason("illegal", str(error))
                else:
                    table.trail.append(decision)
                    turn = state.turn
                    if turn is None or turn in state.out or not state.choice():
                        self._go_on(table)
                    else:  # what `wait` does, without the call
                        table.asked = state.fields(turn, table.names[turn])
                        table.slots[turn].waiting.append(table)
                    continue
            assert state.turn is not None, "asked of a game that is over"
            self._fault(table, state.turn, decision)

    def _fault(self, table: Table, seat: int, why: Reason) -> None:
        """Take a seat out of the game, unless that was lost in the same breath."""
        state = table.state
        if state.turn is None or seat in state.out:
            return
        ours, waiting = state.turn == seat, table.slots[state.turn].waiting
        self._forfeit(table, seat, why)
        if ours or state.turn is None:  # else the game goes on waiting for whom it waited for
            if table in waiting:
                waiting.remove(table)
            self._go_on(table)
        else:
            table.ask()  # what it is to be told has changed

    def _forfeit(self, table: Table, seat: int, why: Reason) -> None:
        view = games.bind(self._game.View, self._options)(
            *table.state.fields(seat, table.names[seat])
        )
        detail = why.text[-wire.TEXT_CAP :].rstrip()
        if why.kind != "load":
            detail += f"\nIt was shown: {view}"
        table.state.forfeit(seat)
        action = len(table.state.actions) - 1
        table.trail.append(seat)
        table.faults.append(Fault(seat, action, Reason(why.kind, detail)))
        table.slots[seat].finished(table, None)

    def _go_on(self, table: Table) -> None:
        """Play what needs no question, then queue the next question or finish the game."""
        state = table.state
        while (seat := state.turn) is not None:
            if state.choice() and seat not in state.out:
                table.wait()
                return
            decision = state.legal()[0]
            table.trail.append(decision)
            state.apply(decision)
        self._finish(table)

    def _finish(self, table: Table) -> None:
        state, players = table.state, self._job.pool.players
        bots = [table.bot(seat) for seat in range(players)]
        faults = [(fault.seat, fault.reason.kind, fault.action) for fault in table.faults]
        meta = meta_of(table.fixture.id, bots, faults)
        record = record_of(self._game, players, self._given, state, meta)
        result = record["result"]
        for slot in table.slots:
            slot.finished(table, result)
        line = packed(line_of(record))
        self._open -= 1
        self._emit(
            Played(
                table.fixture,
                line,
                tuple(result["ranks"]),
                tuple(result["scores"]),
                tuple(table.faults),
            )
        )

    def _tally(self, name: str) -> Tally:
        slots: Sequence[Slot] = [slot for (who, _), slot in self._slots.items() if who == name]
        printed = "".join(slot.close() for slot in slots)
        notes = tuple(note for slot in slots for note in slot.notes)
        decisions, cpu_s = sum(s.decisions for s in slots), sum(s.cpu_s for s in slots)
        worst_s = max(slot.worst_s for slot in slots)
        return Tally(name, decisions, cpu_s, worst_s, notes, printed)
