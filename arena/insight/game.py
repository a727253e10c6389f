"""Explains a lost game: the decisions that cost a seat most, and what luck had to do with it.

In three stages, so that no choice is judged by the worlds it was made in: a few worlds of all
decisions choose candidates, more worlds their best alternatives and their order, and fresh ones
alone measure what the candidates cost.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import hypot, inf, sqrt
from operator import itemgetter
from random import Random
from statistics import fmean
from typing import NamedTuple

import games
from arena import ids
from arena.errors import ArenaError
from arena.insight.positions import Decision, Recorded, find_decisions
from arena.insight.report import Explained, Habit, Mark, SeatExplained, Unit, Worlds, find_runs
from arena.insight.worlds import (
    Bench,
    Outcomes,
    Start,
    Starts,
    Wanted,
    fresh_deals,
    known_setup,
    open_bench,
    outcome_of,
    play_worlds,
)
from arena.league.files import Source
from arena.model import Bot, Fixture, Limits, Played
from arena.progress import SILENT, Progress
from arena.rating.p_values import estimate_mean
from arena.records.questions import TEST_HEAD, format_test

CANDIDATES, BY_SCORE = 12, 4  # of a seat; those by score take what is left, this many at least
LEAST = 0.03  # share of opponents that a mark costs, at least
SETTLED = 0.05  # share, and one less it, where a game is as good as lost or won
HOPELESS = 0.10
ERRORS = 3  # standard errors that a mark is from nothing
HABITS = 2  # classes of moves that are named
FEWEST = 20  # worlds of a mark: the error of fewer is itself an accident
PRECISE = 0.02  # standard error at which a loss is known well enough
LATEST = 8  # decisions that are looked at first: their games are soon over
FRESH = 10_000  # number of the first world that measures


class Budget(NamedTuple):
    """Limits of play: until the seconds are over, and not more than the counts."""

    seconds: float = 30.0
    deals: int = 100  # other deals
    again: int = 40  # times the deal of the game
    scout: int = 40  # worlds of each alternative of each decision
    sift: int = 60  # of the best alternatives of candidates; three times as many later
    measure: int = 25  # of the best one; twice as many in each of four later rounds


class Gain(NamedTuple):
    """The gain of an alternative, world by world."""

    by: str  # the alternative
    mean: float
    error: float  # standard error; infinite for fewer than two worlds
    worlds: int

    @property
    def most(self) -> float:
        """The upper end of the likely gain."""
        return self.mean + 2 * self.error


@dataclass(eq=False)
class _Look:
    decision: Decision
    seen: Outcomes = field(default_factory=dict)  # which choose
    fresh: Outcomes = field(default_factory=dict)  # which measure
    unit: Unit = "beats"

    @property
    def least(self) -> float:
        """The least cost of a mark."""
        return LEAST if self.unit == "beats" else 0.0

    def gains(self, unit: Unit) -> list[Gain]:
        """List the gains of alternatives, the best first; last those dropped with few worlds."""
        legal, actual = self.decision.legal, self.decision.actual
        gains = [compare(self.seen, actual, one, unit) for one in legal if one != actual]
        most = max(gain.worlds for gain in gains)
        return sorted(gains, key=lambda gain: (2 * gain.worlds < most, -gain.mean))

    def most(self, unit: Unit) -> float:
        return max((gain.most for gain in self.gains(unit) if gain.worlds > 1), default=-inf)

    def best(self) -> Gain:
        return self.gains(self.unit)[0]

    def measure_best(self) -> Gain:
        """Measure the best alternative's gain, in worlds that had no part in choosing it."""
        return compare(self.fresh, self.decision.actual, self.best().by, self.unit)

    def is_open(self) -> bool:
        """True if more worlds may decide if it is marked, or measure its cost better."""
        gain = self.measure_best()
        precise = PRECISE if self.unit == "beats" else gain.mean / 6
        distance = (gain.mean - self.least) / gain.error if gain.error else inf
        return distance >= -ERRORS and (distance <= ERRORS or gain.error > precise)

    def is_marked(self) -> bool:
        gain = self.measure_best()
        return gain.worlds >= FEWEST and gain.mean > max(self.least, ERRORS * gain.error)

    def hidden_loss(self) -> float:
        """The least loss in `beats` that its worlds exclude, by 3 errors of 1 / worlds or more."""
        fresh = compare(self.fresh, self.decision.actual, self.best().by, "beats")
        gains = (fresh, *self.gains("beats"))
        first, *seen = (one.mean + ERRORS * max(one.error, 1 / (one.worlds or 1)) for one in gains)
        return min(first, max(seen))

    def share(self) -> float:
        """The value of the actual decision."""
        return fmean(one.beats for one in self.seen[self.decision.actual].values())


def explain_game(
    recorded: Recorded, sources: Mapping[Bot, Source], seats: Sequence[int], key: bytes,
    limits: Limits, true_cards: bool = False, confined: bool = True,
    budget: Budget = Budget(),  # noqa: B008 (a frozen value)
    steps: Progress = SILENT,
) -> Explained:  # fmt: skip
    """Explain what these seats of a game did wrong, by worlds drawn from the key.

    Raises ArenaError where a bot cannot play on, or is too slow for the time.
    """
    every = find_decisions(recorded, range(recorded.pool.players))
    looks = [_Look(decision) for decision in every if decision.seat in seats]
    fair = bool(looks) and not true_cards and looks[0].decision.resample(Random(0)) is not None
    kind: Worlds = "fair" if fair else "true cards" if true_cards else "cannot resample"
    with open_bench(sources, limits, key, confined, steps) as bench:
        run = _Run(bench, budget, time.monotonic(), not fair)
        other, again = run.play_deals(recorded)
        run.scout(looks)
        looked = [look for look in looks if len(look.seen[look.decision.actual]) > 1]
        if looks and not looked:
            wanted = 2 * sum(len(look.decision.legal) for look in looks[-LATEST:])
            played = sum(len(ends) for look in looks for ends in look.seen.values())
            needs_s = int(budget.seconds * wanted / max(played, wanted // 9, 1)) + 1
            problem = (
                f"no decision could be played on in {budget.seconds:g} s; give about --seconds"
            )
            raise ArenaError(f"game {recorded.fixture.id}: {problem} {needs_s}")
        by_seat = [[look for look in looked if look.decision.seat == seat] for seat in seats]
        candidates = run.measure(by_seat)
    played_on = bench.games // len(seats)
    explained = [
        _explain(recorded, seat, every, seat_looks, chosen, (other, again), played_on)
        for seat, seat_looks, chosen in zip(seats, by_seat, candidates, strict=True)
    ]
    return Explained(
        game_id=recorded.fixture.id, pool=recorded.pool.title, bots=recorded.fixture.names,
        ranks=[*recorded.ranks], worlds=kind, games=bench.games, faults=dict(bench.faults),
        not_reproduced=sorted(bench.noted), seats=explained,
    )  # fmt: skip


def compare(outcomes: Outcomes, actual: str, other: str, unit: Unit) -> Gain:
    """Compare two decisions in the worlds that both have."""
    ours, theirs = outcomes.get(actual, {}), outcomes.get(other, {})
    gains = [getattr(theirs[w], unit) - getattr(ours[w], unit) for w in sorted(ours) if w in theirs]
    return Gain(other, *estimate_mean(gains), len(gains))


def find_habits(decisions: Sequence[Decision], seat: int, winner: int) -> list[Habit]:
    """The classes of moves (kinds, or decisions that have none) that the winner chose more often
    than a seat, by a standard error, where each could choose others.
    """
    counts = defaultdict[str, dict[int, list[int]]](lambda: {seat: [0, 0], winner: [0, 0]})
    for one in decisions:
        view, rules = one.view, one.recorded.rules
        held = {play: games.move_classes(rules, view, play) or (play,) for play in one.legal}
        for move in {*chain(*held.values())}:
            counted = counts[move].get(one.seat, [0, 0])
            if not all(move in moves for moves in held.values()):
                counted[0] += move in held[one.actual]
                counted[1] += 1
    habits = list[tuple[float, Habit]]()
    for move, by_seat in sorted(counts.items()):
        (mine, could), (theirs, they_could) = by_seat[seat], by_seat[winner]
        if could and they_could:
            share = (mine + theirs) / (could + they_could)
            error = sqrt(share * (1 - share) * (1 / could + 1 / they_could))
            more = theirs / they_could - mine / could
            if more > error:
                habit = Habit(move_class=move, winner=(theirs, they_could), seat=(mine, could))
                habits.append((-more / error, habit))
    return [habit for _, habit in sorted(habits, key=itemgetter(0))[:HABITS]]


def write_tests(explained: Explained, recorded: Recorded) -> str:
    """Write tests of the decisions that were found costly, with the views that the game has."""
    decisions = {one[1:4]: one for one in find_decisions(recorded, range(recorded.pool.players))}
    tests = list[str]()
    for seat in explained.seats:
        for mark, *_ in find_runs(explained, seat):
            place = decisions.get((seat.seat, mark.action_number, mark.unrecorded_decisions))
            if place and mark.better in place.legal:
                name = f"game {explained.game_id[:8]} action {mark.action_number}"
                if mark.unrecorded_decisions:  # it may decide twice there
                    name += f" step {mark.unrecorded_decisions}"
                tests.append(format_test(explained.bots[seat.seat], place.view, mark.better, name))
    return TEST_HEAD + "\n\n".join(tests)


class _Run(NamedTuple):
    """The stages of a run, each with a share of its time."""

    bench: Bench
    budget: Budget
    began_s: float
    known: bool  # whether cards are the true ones

    def _end_s(self, share: float) -> float:
        return self.began_s + share * self.budget.seconds

    def play_deals(self, recorded: Recorded) -> tuple[list[Played], list[Played]]:
        """Play games of the line-up in its seats: on other deals, and on this one."""
        pool, key, rules = recorded.pool, self.bench.key, recorded.rules
        setup, others = known_setup(recorded), self.budget.deals
        name = f"{recorded.fixture.id} deal"
        fresh = fresh_deals(pool, key, name)

        def start(fixture: Fixture) -> Start:
            if fixture.deal < others:
                return fresh(fixture)
            rng = Random(key + fixture.deal.to_bytes(8))
            return Start(games.complete_setup(rules, setup, rng), (), f"{name} {fixture.deal}")

        total = others + self.budget.again
        self.bench.steps.begin("playing other deals", total)
        numbered = ((f"{deal:0{ids.ID_DIGITS}x}", deal) for deal in range(total))
        fixtures = [recorded.fixture._replace(id=id, deal=deal) for id, deal in numbered]
        script, end_s = Starts(pool, key, start), self._end_s(0.15)
        played = self.bench.play(fixtures, script, end_s)
        here = [game for game in played if game.fixture.deal >= others]
        return [game for game in played if game.fixture.deal < others], here

    def _see(
        self, what: str, share: float, looks: Sequence[_Look], worlds: range, best: int
    ) -> None:
        """Play worlds of what was made and of the best alternatives, which choose, or measure;
        not of what is known exactly.
        """
        wanted, looks = list[Wanted](), [look for look in looks if look.fresh is not look.seen]
        for look in looks:
            others = [gain.by for gain in look.gains(look.unit)[:best]]
            wanted.append(Wanted(look.decision, worlds, [look.decision.actual, *others]))
        self.bench.steps.begin(what)
        played = play_worlds(self.bench, wanted, self.known, self._end_s(share))
        for look, outcomes in zip(looks, played, strict=True):
            seen = look.fresh if worlds.start >= FRESH else look.seen
            for decision, ends in outcomes.items():
                seen.setdefault(decision, {}).update(ends)

    def scout(self, looks: Sequence[_Look]) -> None:
        """Look at all decisions, and closer at what each seat's first one was worth."""
        worlds, words = range(self.budget.scout), "looking at all decisions"
        most = max((len(look.decision.legal) for look in looks), default=0)
        for some in (looks[-LATEST:], looks[:-LATEST]):  # these at least, however slow the bots are
            self._see(words, 1.0, some, worlds[:2], most)
        self._see(words, 0.3, looks, worlds[2:], most)
        for look in looks if self.known else ():
            ends = look.seen.values()
            if all(len(one) > 1 and len(set(one.values())) == 1 for one in ends):
                look.fresh = look.seen
        firsts = {look.decision.seat: look for look in reversed(looks)}.values()
        self._see(words, 0.33, [*firsts], range(6 * len(worlds)), 0)

    def measure(self, by_seat: Sequence[Sequence[_Look]]) -> list[list[_Look]]:
        """Choose candidates and their alternatives, and measure the best ones in fresh worlds.
        Return the candidates by seat.
        """
        budget, words = self.budget, "comparing decisions"
        first = budget.scout  # number of a stage's first world
        chosen = [_choose(looks, 2) for looks in by_seat]
        self._see(words, 0.45, [*chain(*chosen)], range(first, first + budget.sift), 3)
        first += budget.sift
        chosen = [_choose(looks, 1) for looks in chosen]
        self._see(words, 0.6, [*chain(*chosen)], range(first, first + 3 * budget.sift), 2)
        looks, first = [*chain(*chosen)], FRESH
        for times in (1, 2, 4, 8, 16):
            looks = [look for look in looks if look.best().most > look.least and look.is_open()]
            worlds = range(first, first + times * budget.measure)
            self._see("measuring", 1.0, looks, worlds, 1)
            first = worlds.stop
        return chosen


def _choose(looks: Sequence[_Look], times: int) -> list[_Look]:
    """Choose candidates of a seat, and for a first choice so many times as many."""
    in_reach = bool(looks) and fmean(look.share() for look in looks) >= HOPELESS
    by_share = sorted(looks, key=lambda look: -look.most("beats")) if in_reach else []
    chosen = [look for look in by_share if look.most("beats") > LEAST][: times * CANDIDATES]
    for look in looks:
        settled = not in_reach or not SETTLED <= look.share() <= 1 - SETTLED
        as_score = look not in chosen and settled and look.most("score") > 0
        look.unit = "score" if as_score else "beats"
    by_score = [look for look in looks if look.unit == "score"]
    left = max(times * CANDIDATES - len(chosen), times * BY_SCORE)
    return chosen + sorted(by_score, key=lambda look: -look.most("score"))[:left]


def _explain(
    recorded: Recorded, seat: int, every: Sequence[Decision], looks: Sequence[_Look],
    candidates: Sequence[_Look], deals: tuple[list[Played], list[Played]], played_on: int,
) -> SeatExplained:  # fmt: skip
    (expected, error), on_deal = (
        estimate_mean([outcome_of(recorded.rules, seat, p.ranks, p.scores).beats for p in played])
        for played in deals
    )
    first = [one.beats for one in looks[0].seen[looks[0].decision.actual].values()] if looks else []
    before, doubt = estimate_mean(first)
    marked = [look for look in candidates if look.is_marked()]
    hidden = max([LEAST, *(min(1.0, look.hidden_loss()) for look in looks if look not in marked)])
    marked.sort(key=lambda look: (look.unit == "score", -look.best().mean))
    won = (other for other, rank in enumerate(recorded.ranks) if rank == 1 < recorded.ranks[seat])
    winner = next(won, None)
    beaten = outcome_of(recorded.rules, seat, recorded.ranks, recorded.ranks).beats
    return SeatExplained(
        seat=seat, bot=recorded.fixture.names[seat],
        share_beaten=round(beaten, 3),
        expected_share=round(expected, 3), expected_se=round(min(error, 1.0), 3),
        deal_share=round(on_deal[0], 3), deal_se=round(min(on_deal[1], 1.0), 3),
        lost_before_first_decision=len(first) > 1 and before < HOPELESS
        and expected / 2 - before > ERRORS * hypot(doubt, error / 2),
        decisions=sum(one.seat == seat for one in every),
        shares_by_decision=[
            (look.decision.at, look.decision.passes, round(look.share(), 3)) for look in looks
        ],
        mistakes=[_mark(look) for look in marked], games=played_on,
        detectable_loss=round(hidden, 3),
        winner=winner, habits=[] if winner is None else find_habits(every, seat, winner),
    )  # fmt: skip


def _mark(look: _Look) -> Mark:
    decision, gain = look.decision, look.measure_best()
    played = look.fresh[decision.actual].values()
    return Mark(
        action_number=decision.at, unrecorded_decisions=decision.passes, decision=decision.actual,
        better=gain.by,
        loss=round(gain.mean, 3), loss_se=round(gain.error, 3),
        unit=look.unit, decision_value=round(fmean(getattr(one, look.unit) for one in played), 3),
        worlds=gain.worlds, view=decision.view._asdict(),
    )  # fmt: skip
