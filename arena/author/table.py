"""A game that people play against bots: bots in processes of their own, as in a tournament.

What a bot does wrong costs it the game as there: it is out, a stand-in plays on for it, and whoever
sits at the table is told. How a person is asked is handed in.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import games
from arena import ids, seeds
from arena.league.snapshots import snapshots
from arena.model import Fault, Fixture, Reason
from arena.plan.by_hand import ByHand
from arena.process.bot_process import BotProcess
from arena.process.loading import unloadable
from arena.process.zygote_client import ZygoteClient
from arena.records.format import body_of, line_of
from arena.sandbox import wire
from arena.session.game import LiveGame, Origin, wrong_word
from arena.session.player import Player
from games import IllegalAction, State

Ask = Callable[[State, int], str | None]
"""Takes the state, and the seat of a person who is to decide; returns a legal decision, or None to
leave the game."""


class Table:
    """One game by hand. `told` takes each fault as it happens."""

    def __init__(self, terms: ByHand, ask: Ask, told: Callable[[Fault], object]) -> None:
        self._terms, self._ask, self._told = terms, ask, told
        self._rules = games.load(terms.pool.game)
        given = json.loads(terms.pool.options)
        self._options = games.options_from(self._rules.Options, given)
        hello = wire.Hello(terms.pool.game, given)
        self._zygote: ZygoteClient
        self._paths: dict[str, str] = {}
        self._players = {  # the bots', by seat
            seat: Player(
                partial(self._launch, name), hello, terms.limits, self._settle, self._fault
            )
            for seat, name in enumerate(terms.names)
            if seat not in terms.people
        }
        numbers = self._numbers(terms.fixture)
        seats = range(terms.pool.players)
        waiting = [self._players[s].waiting if s in self._players else [] for s in seats]
        origin = Origin(self._dealt, self._numbers)
        self._begun = list(map(wire.Begun, *numbers))
        self.game = LiveGame(terms.fixture, origin, numbers[0], waiting)

    def play(self) -> bool:
        """Play to the end; return whether it was reached: a person may leave."""
        if not self._players:
            return self._play()
        bots = [bot for bot in self._terms.fixture.line_up if bot.name in self._terms.sources]
        with snapshots(self._terms.sources, bots) as self._paths:
            self._zygote = ZygoteClient(self._terms.confined)
            try:
                self._seat_bots()
                return self._play()
            finally:
                for player in self._players.values():
                    player.end()
                self._zygote.close()

    def record(self) -> bytes:
        """Return the game's record, a line without its end; of a game that was left, what was
        played of it, without a result.
        """
        state = self.game.state
        body = body_of(self._rules, state, state.result() if state.turn is None else None)
        forfeits = [(fault.seat, fault.reason.kind, fault.action) for fault in self.game.faults]
        return line_of(self._terms.pool, self._terms.fixture, forfeits, body)

    def _launch(self, name: str) -> BotProcess:
        return self._zygote.start(Path(self._paths[name]), self._terms.limits)

    def _seat_bots(self) -> None:
        """Have the bots take their seats: whoever cannot be loaded is out before the first move."""
        unloaded = unloadable(self._paths, self._terms.limits, self._zygote)
        names = self._terms.names
        for seat, player in self._players.items():
            if names[seat] in unloaded:
                player.lost = unloaded[names[seat]]
            player.begin(self.game, seat, self._begun[seat])
        for seat, player in self._players.items():
            if player.lost and self.game.state.turn is not None:
                self._forfeit(seat, player.lost)

    def _play(self) -> bool:
        state = self.game.state
        self.game.advance()
        while (seat := state.turn) is not None:
            if seat not in self._terms.people:
                self._players[seat].ask()
                continue
            decision = self._ask(state, seat)
            if decision is None:
                return False
            self.game.queues[seat].clear()
            self._settle([self.game], [decision])
        for player in self._players.values():
            player.finished(self.game, state.result())
            player.close()
        return True

    def _dealt(self, fixture: Fixture) -> State:
        """Return the state right after the deal."""
        terms, pool = self._terms, self._terms.pool
        setup = seeds.deal_of(
            self._rules, self._options, terms.secret, pool, fixture.line_up, 0, fixture.seating
        )
        return self._rules.State(self._options, pool.players, setup)

    def _numbers(self, fixture: Fixture) -> seeds.SeatNumbers:
        key = ids.bots_key(self._terms.secret)
        return seeds.of_seats(key, fixture.id, self._terms.pool.players)

    def _settle(self, asked: Sequence[LiveGame], decisions: Sequence[str]) -> None:
        """Apply a decision, and have the game wait for whoever decides next in it."""
        for game, decision in zip(asked, decisions, strict=True):
            seat = game.state.turn
            try:
                game.state.apply(decision)
            except IllegalAction as error:
                assert seat is not None, "asked of a game that is over"
                self._fault(game, seat, wrong_word(decision, game.state, error))
                continue
            game.trail.append(decision)
            game.advance()

    def _fault(self, game: LiveGame, seat: int, reason: Reason) -> None:
        """Take a seat out of the game, unless that was lost in the same breath."""
        state = game.state
        if state.turn is None or seat in state.out:
            return
        asked = state.turn
        self._forfeit(seat, reason)
        if asked != seat and state.turn is not None:
            game.renew_question()
            return
        game.queues[asked].clear()
        game.advance()

    def _forfeit(self, seat: int, reason: Reason) -> None:
        self.game.forfeit(seat, reason)
        self._players[seat].finished(self.game, None)
        self._told(self.game.faults[-1])
