"""A session: many games of one pool played side by side, one process a bot (two in a team).

The loop turns to the bot that most games wait for: all of them go to it as one message, its
decisions are applied, and finished games make room for the next. So the price of a process boundary
is paid once a batch, and batches are as full as can be: a quarter fewer than with every bot in turn
(No Thanks! with three: 124 questions each, not 98). A game's course depends on its deal and its
bots alone, never on what else is in the session.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from sys import intern
from types import MappingProxyType
from typing import NamedTuple, Protocol

from msgspec.structs import replace

import games
from arena import ids
from arena.faults.kinds import UNASKED
from arena.faults.reasons import wrong_word
from arena.model import Fixture, Limits, Played, Pool, Reason, Sharing, Tally
from arena.process.asker import Launcher
from arena.process.bot_process import BotProcess
from arena.records.record import make_body, read_options
from arena.sandbox import wire
from arena.session.game import Beginning, LiveGame, Origin, Script
from arena.session.player import BATCH, Player
from games import Game, IllegalAction

MOST_LEGAL = 100  # decisions that a reason lists


class Job(NamedTuple):
    """One session's work, for whichever worker plays it; nothing of it goes to a bot."""

    pool: Pool
    limits: Limits
    shared_decks: Sharing
    fixtures: Sequence[Fixture]
    secret: bytes
    unloaded: dict[str, Reason]  # bots that cannot be loaded: why


def origin_of(job: Job) -> Origin:
    """The beginnings of a job's games, by the schedule."""
    pool, sharing, key = job.pool, job.shared_decks, ids.bots_key(job.secret)
    rules: Game = games.load(pool.game)
    options = read_options(pool)

    def begin(fixture: Fixture) -> Beginning:
        line_up, where = ids.find_deck(sharing, fixture.line_up, fixture.seating)
        setup = ids.deal_setup(rules, options, job.secret, pool, line_up, fixture.deal, where)
        return rules.State(options, pool.players, setup), ()

    return Origin(begin, lambda fixture: ids.draw_numbers(key, sharing, pool, fixture))


class Person(Protocol):
    """A human player."""

    def begin(self, game: LiveGame) -> None:
        """Take note of a game that was just dealt."""

    def ask(self, game: LiveGame) -> str:
        """Ask for a legal decision for the seat whose turn it is. Whatever this raises ends the
        session.
        """


class Session:
    """Plays a job with the bots whose snapshots lie in `paths`, by name. `emit` takes each finished
    game; `pulse` is called after each batch, while an answer is awaited, and before a process is
    started: in one batch a thousand may be lost. `asks` takes the name of each bot before it is
    asked.

    `people` have no process, and are asked by hand. A `script` begins the games in the schedule's
    stead: then the job's secret is not used.
    """

    def __init__(
        self,
        job: Job,
        paths: Mapping[str, str],
        zygote: Launcher,
        emit: Callable[[Played], None],
        pulse: Callable[[], None],
        asks: Callable[[str], None] = lambda name: None,
        people: Mapping[str, Person] = MappingProxyType({}),
        script: Script | None = None,
    ) -> None:
        self._job, self._paths, self._zygote = job, paths, zygote
        self._emit, self._pulse, self._asks, self._people = emit, pulse, asks, people
        self._rules: Game = games.load(job.pool.game)
        self._script = script
        self._origin = Origin(script.begin, script.numbers) if script else origin_of(job)
        # By id, a hash: so that all bots have about as many games in flight. In the schedule's
        # order the first bots would be in all of them, and the others' batches nearly empty.
        self._fixtures: Iterator[Fixture] = iter(sorted(job.fixtures, key=lambda game: game.id))
        self._playing: dict[LiveGame, list[Player]] = {}  # games not finished, players by seat
        hello = wire.Hello(job.pool.game, json.loads(job.pool.options))
        names = sorted({bot.name for fixture in job.fixtures for bot in fixture.line_up})
        self._halves = 2 if job.pool.partners == "same" else 1  # partners share nothing
        self._players: dict[tuple[str, int], Player] = {}
        for name in names:
            launch = partial(self._launch, name)
            for half in range(self._halves):
                player = Player(launch, hello, job.limits, self._settle, self._forfeit)
                if name in job.unloaded:
                    player.lost = job.unloaded[name]
                self._players[name, half] = player
        at_once = script.at_once if script else BATCH
        self._room = -(-at_once * len(self._players) // job.pool.players)

    def play(self) -> list[Tally]:
        """Play all games; return what each bot used, in the order of their names."""
        try:
            for (name, _), player in self._players.items():
                if name not in self._people and not player.lost:
                    self._asks(name)
                    player.start()
            self._refill()
            while self._playing:
                players = self._players.items()
                (name, _), fullest = max(players, key=lambda item: len(item[1].waiting))
                assert fullest.waiting, "games are left that wait for no bot"
                self._asks(name)
                if name in self._people:
                    game = fullest.waiting.pop()
                    self._settle([game], [self._people[name].ask(game)])
                else:
                    fullest.ask()
                self._refill()
                self._pulse()
            return [self._tally(name) for name in dict.fromkeys(name for name, _ in self._players)]
        except BaseException:  # `pulse` may want it to end
            for player in self._players.values():
                player.asker.end()
            raise

    def _launch(self, name: str) -> BotProcess:
        self._pulse()
        process = self._zygote.start(Path(self._paths[name]), self._job.limits)
        process.pulse = self._pulse
        return process

    def _refill(self) -> None:
        """Begin games until the session is full again, in the order of their ids."""
        while len(self._playing) < self._room and (fixture := next(self._fixtures, None)):
            self._begin(fixture)

    def _begin(self, fixture: Fixture) -> None:
        players = [  # by seat; of a team's two seats, the latter is `half` 1's
            self._players[fixture.line_up[place].name, seat // 2 % self._halves]
            for seat, place in enumerate(fixture.seating)
        ]
        numbers = self._origin.numbers(fixture)
        queues = [player.waiting for player in players]
        game = LiveGame(fixture, self._origin, numbers[0], queues)
        self._playing[game] = players
        for person in self._people.values():
            person.begin(game)
        state = game.state
        for seat, begun in enumerate(map(wire.Begun, *numbers)):
            if seat not in state.forfeited:
                players[seat].begin(game, seat, begun)
        for seat, player in enumerate(players):
            if player.lost and state.to_act is not None and seat not in state.forfeited:
                self._record_forfeit(game, seat, player.lost)
        if not game.advance():
            self._finish(game)

    def _settle(self, asked: Sequence[LiveGame], decisions: Sequence[str]) -> None:
        if self._script is not None:
            decisions = self._script.answers(asked, decisions)
        for game, decision in zip(asked, decisions, strict=True):
            state = game.state
            try:
                state.apply(decision)
            except IllegalAction as error:
                seat = state.to_act
                assert seat is not None, "asked of a game that is over"
                what = str(error).removeprefix(f"seat {seat} ")
                word, what = decision[: wire.FIELD_BYTES], what[: wire.FIELD_BYTES]
                self._forfeit(game, seat, wrong_word(word, what, state.legal()[:MOST_LEGAL]))
                continue
            game.trail.append(intern(decision))  # it is one of few, now that it was legal
            turn = state.to_act
            if turn is not None and turn not in state.forfeited and state.has_choice():
                # `advance` in line: the call was 1.5 % of the parent's instructions
                game.asked = state.fields(turn, game.aliases[turn])
                game.queues[turn].append(game)
            elif not game.advance():
                self._finish(game)

    def _forfeit(self, game: LiveGame, seat: int, reason: Reason) -> None:
        state = game.state
        if state.to_act is None or seat in state.forfeited:
            return
        was_asked, queue = state.to_act == seat, game.queues[state.to_act]
        self._record_forfeit(game, seat, reason)
        if was_asked or state.to_act is None:
            if game in queue:
                queue.remove(game)
            if not game.advance():
                self._finish(game)
        else:  # it goes on waiting for whom it waited for
            game.asked = state.fields(state.to_act, game.aliases[state.to_act])

    def _record_forfeit(self, game: LiveGame, seat: int, reason: Reason) -> None:
        player = self._playing[game][seat]
        if player.texts.takes(reason.kind) and reason.kind not in UNASKED:
            view = game.state.view(seat, game.aliases[seat])
            phase = view.phase if game.state.to_act == seat else ""  # asked something earlier
            reason = replace(reason, phase=phase, view=str(view))
        game.forfeit(seat, player.texts.keep(reason.kind, reason))
        player.finish(game, None)

    def _finish(self, game: LiveGame) -> None:
        result = game.state.result()
        for player in self._playing.pop(game):
            player.finish(game, result)
        ranks, scores = tuple(result["ranks"]), tuple(result["scores"])
        body = self._script.body(game) if self._script else None
        if body is None:
            body = make_body(self._rules, game.state, result)
        self._emit(Played(game.fixture, body, ranks, scores, tuple(game.faults)))

    def _tally(self, name: str) -> Tally:
        self._asks(name)  # how its last games ended
        players = [player for (bot, _), player in self._players.items() if bot == name]
        for player in players:
            player.close()
        return Tally(
            bot=name,
            decisions=sum(player.decisions for player in players),
            cpu_s=sum(player.asker.cpu_s for player in players),
            worst_s=max(player.asker.worst_s for player in players),
            notes=tuple(note for player in players for note in player.texts.notes()),
            printed="".join(player.texts.prints() for player in players),
            ends=tuple(end for player in players for end in player.texts.ends()),
        )
