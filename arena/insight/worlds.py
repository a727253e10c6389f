"""Plays games that begin in the middle: worlds, and whole games on fresh deals.

A world of a decision is a game that its seat cannot tell from the recorded one: what it does not
know was dealt again, the recorded actions were played, and the last step is a decision of the
seat's that is forced. From there the bots play on. All alternatives of a decision have the same
worlds and the same dice, so that they are compared pair by pair.

A session plays them, in this process and in the sandbox, as any other game. All chance is drawn
from the key of the run: the tournament's secret is not needed, and nothing is stored.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from math import inf
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import games
from arena import ids
from arena.errors import ArenaError
from arena.faults.kinds import KINDS
from arena.insight.positions import Decision, Recorded, list_steps
from arena.insight.rules import Rule, apply_rule
from arena.league.files import Source, sweep_snapshots, write_snapshots
from arena.model import Bot, Fixture, Limits, Played, Pool
from arena.process.launch import Client, start_client
from arena.progress import SILENT, Progress
from arena.records.questions import Step
from arena.records.record import read_options
from arena.session.game import Beginning, LiveGame, Script
from arena.session.session import Job, Session
from games import Game, IllegalAction

MOST_WORLDS = 4096  # kept, for the alternatives that share one; and as many starts


class Start(NamedTuple):
    """The beginning of a game."""

    setup: Any
    steps: Sequence[Step]  # played before any bot is asked
    dice: str  # games with the same text here have the same random numbers, by seat


class Starts(Script):
    """Games that begin as `start` says."""

    at_once = 32  # what time ends in the middle is lost; that takes the CPU time of 256

    def __init__(self, pool: Pool, key: bytes, start: Callable[[Fixture], Start]):
        self.pool, self._key, self._start = pool, key, lru_cache(MOST_WORLDS)(start)
        self._rules = games.load(pool.game)
        self._options = read_options(pool)

    def begin(self, fixture: Fixture) -> Beginning:
        """Begin a game, each time alike."""
        setup, steps, _ = self._start(fixture)
        return self._rules.State(self._options, self.pool.players, setup), steps

    def numbers(self, fixture: Fixture) -> ids.SeatNumbers:
        """The numbers of a game's seats: a table of its own, dice as it begins."""
        tables, _ = ids.draw_seat_numbers(self._key, fixture.id, self.pool.players)
        dice = self._start(fixture).dice
        return tables, ids.draw_seat_numbers(self._key, dice, self.pool.players)[1]

    def body(self, game: LiveGame) -> bytes | None:
        """Report nothing."""
        return b"{}"


def fresh_deals(pool: Pool, key: bytes, of: str) -> Callable[[Fixture], Start]:
    """Begin whole games by the number of their deal; `of` is a name of what they are for."""
    rules, options = games.load(pool.game), read_options(pool)

    def start(fixture: Fixture) -> Start:
        _, line_up, seating, deal = fixture
        setup = ids.deal_setup(rules, options, key, pool, line_up, deal, seating)
        return Start(setup, (), f"{of} {deal}")

    return start


@dataclass
class Doing:
    """The work of a rule in a game."""

    asked: int = 0  # decisions of the bot
    changed: list[int] = field(default_factory=list)  # their numbers
    stayed: int = 0  # those for which no replacement was legal


class Wrapped(Starts):
    """Games in which a bot's decisions become others by a rule; each fixture has its own."""

    def __init__(
        self, pool: Pool, key: bytes, bot: str, rules: Mapping[str, Rule | None], of: str
    ) -> None:
        super().__init__(pool, key, fresh_deals(pool, key, of))
        self._bot, self._wraps = bot, rules
        self.did: dict[str, Doing] = {}

    def answers(self, asked: Sequence[LiveGame], decisions: Sequence[str]) -> Sequence[str]:
        """Change the bot's decisions; those that are not legal stay the faults they are."""
        return [self._answer(game, word) for game, word in zip(asked, decisions, strict=True)]

    def _answer(self, game: LiveGame, decision: str) -> str:
        fixture, state, rule = game.fixture, game.state, self._wraps[game.fixture.id]
        assert state.to_act is not None
        if rule is None or fixture.names[state.to_act] != self._bot:
            return decision
        did = self.did.setdefault(fixture.id, Doing())
        view = state.view(state.to_act)
        becomes, stayed = apply_rule(rule, self._rules, view, decision, state.legal())
        if becomes != decision:
            did.changed.append(did.asked)
        did.stayed += stayed
        did.asked += 1
        return becomes


class _TimeOver(Exception):
    """The time for these games is over."""


@dataclass(eq=False)
class Bench:
    """Plays games of some bots, one session at a time, and counts them and their faults."""

    paths: Mapping[str, str]  # of snapshots, by bot
    client: Client
    limits: Limits
    key: bytes
    steps: Progress
    games: int = 0
    faults: Counter[str] = field(default_factory=Counter)  # games that a bot forfeited, by its name
    noted: set[str] = field(default_factory=set)  # bots whose answers differed when asked again

    def play(self, fixtures: Sequence[Fixture], script: Starts, end_s: float = inf) -> list[Played]:
        """Play games until `end_s` of the monotonic clock, about in the order of their ids; return
        the finished ones. Raises ArenaError where a bot cannot play.
        """
        finished = list[Played]()

        def pulse() -> None:
            if time.monotonic() > end_s:
                raise _TimeOver

        def take(played: Played) -> None:
            self.games += 1
            for fault in played.faults:
                bot = played.fixture.names[fault.seat]
                self.faults[bot] += 1
                kind = KINDS[fault.reason.kind]
                if kind.unasked:
                    raise ArenaError(f"{bot}: {kind.summary}; `arena check {bot}` shows details")
            self.steps.done()
            finished.append(played)

        job = Job(script.pool, self.limits, False, fixtures, self.key, {})
        session = Session(job, self.paths, self.client, take, pulse, script=script)
        with suppress(_TimeOver):
            self.noted |= {tally.bot for tally in session.play() if tally.notes}
        return finished


@contextmanager
def open_bench(
    sources: Mapping[Bot, Source], limits: Limits, key: bytes, confined: bool = True,
    steps: Progress = SILENT,
) -> Iterator[Bench]:  # fmt: skip
    """Give a bench of these bots, one version of each. The key has the form of secrets."""
    sweep_snapshots()
    named = {bot.name: source for bot, source in sources.items()}
    with write_snapshots(named, sources) as paths, closing(start_client(confined)) as client:
        yield Bench(paths=paths, client=client, limits=limits, key=key, steps=steps)


class Outcome(NamedTuple):
    """The end of a game for a seat."""

    beats: float  # share of the opponents that it left behind, a tie half
    score: float  # its own less the mean of theirs; more is better


def outcome_of(rules: Game, seat: int, ranks: Sequence[int], scores: Sequence[int]) -> Outcome:
    """The outcome for a seat; ranks and scores are by seat."""
    ahead = shares_ahead(rules, seat, ranks)
    margin = scores[seat] - fmean(scores[other] for other in ahead)
    return Outcome(fmean(ahead.values()), -margin if rules.LOW_WINS else margin)


def shares_ahead(rules: Game, seat: int, ranks: Sequence[int]) -> dict[int, float]:
    """Shares by the opponents' seats: 1 where the seat finished ahead, a tie half."""
    return {
        other: (rank > ranks[seat]) + (rank == ranks[seat]) / 2
        for other, rank in enumerate(ranks)
        if rules.side(other) != rules.side(seat)
    }


class Wanted(NamedTuple):
    """Worlds of a decision that are to be played."""

    decision: Decision
    worlds: range
    forced: Sequence[str]  # legal decisions


Outcomes = dict[str, dict[int, Outcome]]
"""Outcomes for the decision's seat, by the decision that was forced and the world's number."""


def play_worlds(
    bench: Bench, wanted: Sequence[Wanted], true_cards: bool = False, end_s: float = inf
) -> list[Outcomes]:
    """Play worlds of decisions, pool by pool; return the outcomes, in the order of `wanted`.

    Where time is over sooner, a decision lacks its last worlds. With `true_cards` a world differs
    from the recorded game in its dice alone, and so it does if the game has no `resample`.
    """
    outcomes: list[Outcomes] = [{forced: {} for forced in one.forced} for one in wanted]
    planned, fixtures = dict[str, tuple[int, int, str]](), defaultdict[Pool, list[Fixture]](list)
    worlds = sorted({world for one in wanted for world in one.worlds})
    for world in worlds:  # first, so that all decisions lack about as many
        for at, (decision, numbers, forced) in enumerate(wanted):
            for choice in forced if world in numbers else ():
                id = f"{len(planned):0{ids.ID_DIGITS}x}"
                planned[id] = at, world, choice
                recorded = decision.recorded
                fixtures[recorded.pool].append(recorded.fixture._replace(id=id))

    @lru_cache(MOST_WORLDS)
    def make(at: int, world: int) -> tuple[Any, list[Step]]:
        return make_world(wanted[at].decision, bench.key, world, true_cards)

    def start(fixture: Fixture) -> Start:
        at, world, forced = planned[fixture.id]
        setup, course = make(at, world)
        return Start(setup, [*course, forced], f"{wanted[at].decision.place} {world}")

    for pool, own_fixtures in fixtures.items():
        for played in bench.play(own_fixtures, Starts(pool, bench.key, start), end_s):
            at, world, forced = planned[played.fixture.id]
            rules, seat = wanted[at].decision.recorded.rules, wanted[at].decision.seat
            outcomes[at][forced][world] = outcome_of(rules, seat, played.ranks, played.scores)
    return outcomes


def make_world(
    decision: Decision, key: bytes, world: int, true_cards: bool
) -> tuple[Any, list[Step]]:
    """Make a world of a decision: its setup, and the steps up to the decision. Raises ArenaError
    where the seat would see another view than it did.
    """
    recorded, at, seat = decision.recorded, decision.at, decision.seat
    blame = f"game {recorded.fixture.id}, action {at}: {recorded.pool.game}: its `resample`"
    rng = Random(sha256(b"%b %b %d" % (key, decision.place.encode(), world)).digest())
    try:
        twin = None if true_cards else decision.resample(rng)
        setup, course = twin or (known_setup(recorded, at), recorded.course[:at])
        setup = games.complete_setup(recorded.rules, setup, rng)
        state = recorded.open(setup)
        steps = list_steps(state, course, decision.passes)
    except IllegalAction as error:
        raise ArenaError(f"{blame} makes a game that breaks the rules: {error}") from None
    if state.to_act != seat or state.fields(seat) != decision.fields:
        problem = f"{blame} changes what seat {seat} sees"
        raise ArenaError(f"{problem}; a test of the game's contract will fail, too")
    return setup, steps


def start_at(decision: Decision, key: bytes, true_cards: bool) -> Starts:
    """Begin a game at a decision, in a world of it. Raises ArenaError."""
    setup, steps = make_world(decision, key, 0, true_cards)
    return Starts(decision.recorded.pool, key, lambda _: Start(setup, steps, decision.place))


def known_setup(recorded: Recorded, at: int = 0) -> Any:
    """The setup with what the record says of chance up to an action, and no more."""
    state = recorded.open()
    list_steps(state, recorded.course[:at], 0)
    return recorded.rules.parse_setup(recorded.options, recorded.pool.players, state.setup())
