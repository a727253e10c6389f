"""Advises a bot: rules for its decisions, tested in whole games.

Some of its stored decisions are played on with every alternative; rules that would have gained
there race each other on fresh deals; the best are tested on others. Worlds propose, play decides: a
decision that is better once, all later ones being the old bot's, need not make a better rule.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice, zip_longest
from math import sqrt
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import games
from arena import ids
from arena.errors import ArenaError
from arena.insight.positions import Decision, find_decisions, open_game, read_sources
from arena.insight.report import Advice, Costly, Opponent, RuleTested, mu_gained
from arena.insight.rules import Rule, Words, apply_rule, learn_words
from arena.insight.search import Proposal, Sampled, overlap, propose
from arena.insight.worlds import (
    ENDLESS_S,
    Bench,
    Doing,
    Wanted,
    Wrapped,
    open_bench,
    outcome_of,
    play_worlds,
)
from arena.model import Fixture, Limits, Played, Pool
from arena.progress import SILENT, Progress
from arena.rating import adjust_by_holm, t_above, t_critical
from arena.store import Store, load_plan

if TYPE_CHECKING:
    pass

A_GAME, MOST_LEGAL, BLOCK_S = 8, 12, 8.0  # decisions of a game; alternatives; a session of worlds
MOST_GAMES = 1000  # read, and line-ups of fresh deals
RULES, TESTED, SAME = 12, 4, 0.5  # that race, that are tested, share of changes two have in common
LEVEL = 0.05
FEWEST_AGAINST = 30  # deals against an opponent
WORDS_GAMES = 40  # that tell what a rule may name


class Pace(NamedTuple):
    """How much is played: until the seconds are over, and not more than the counts."""

    seconds: float = 60.0
    games: int = MOST_GAMES  # sampled
    race: tuple[int, ...] = (60, 120, 240)  # fresh deals; after each, the worse half is out
    least: int = 200  # deals of a test
    most: int = 4000
    grace: float = 15.0  # seconds more for the least deals


class Seen(NamedTuple):
    """A stored game of the bot: what is read first."""

    id: str
    pool: Pool
    fixture: Fixture


class Deal(NamedTuple):
    """A fresh deal as it was played: as the bot is, then by each rule."""

    fixture: Fixture
    games: list[tuple[Played, Doing]]


def find_seen(store: Store, bot: str, game: str, key: bytes) -> list[Seen]:
    """Find games of the bot against the bots of the tables, in an order drawn by the key. Raises
    ArenaError where there is none.
    """
    entries = [entry for entry in load_plan(store).entries if entry.pool.game == game]
    current = {(entry.pool, each) for entry in entries for each in entry.bots}
    found = [
        Seen(row.id, row.pool, row.fixture)
        for row in store.games()
        if row.pool.game == game and row.sound and not row.faults
        if any(each.name == bot for each in row.line_up)
        and all((row.pool, each) in current for each in row.line_up)
    ]
    if not found:
        raise ArenaError(f"{store.path}: has no game of {game} with the {bot} of its tables")
    found.sort(key=lambda seen: sha256(key + seen.id.encode()).digest())
    return found[:MOST_GAMES]


def read_words(store: Store, seen: Sequence[Seen]) -> Words:
    """Read from some games what a rule may name."""
    decisions = [each for one in seen[:WORDS_GAMES] for each in _decisions(store, one, None)]
    return learn_words(
        games.load(seen[0].pool.game), [(each.view, each.legal) for each in decisions]
    )


def _decisions(store: Store, seen: Seen, bot: str | None) -> list[Decision]:
    (row,) = store.find(seen.id)
    names = [seen.fixture.line_up[place].name for place in seen.fixture.seating]
    seats = [seat for seat, name in enumerate(names) if bot in (name, None)]
    return find_decisions(open_game(store, row), seats)


def explain_bot(
    store: Store, bot: str, game: str, given: Sequence[Rule], key: bytes, limits: Limits,
    confined: bool = True, pace: Pace | None = None, steps: Progress = SILENT,
) -> Advice:  # fmt: skip
    """Search rules that make the bot better at a game, and test them; or test the given ones.
    Raises ArenaError.
    """
    pace, began = pace or Pace(), time.monotonic()
    seen = find_seen(store, bot, game, key)
    bots = sorted({each for one in seen for each in one.fixture.line_up})
    with open_bench(read_sources(store, bots), bots, limits, key, confined) as bench:
        run = _Run(store, bench, bot, games.load(game), seen, pace, steps, began)
        costly = dict[Rule, list[Costly]]()
        rules, sample = [*given], list[tuple[Decision, Sampled]]()
        if not given:
            proposals = list[Proposal]()
            for share in (0.5, 0.75):  # where nothing is found at first, a larger sample
                if not proposals:
                    sample = run.sample(began + pace.seconds * share)
                    steps.begin("searching rules")
                    proposals = propose(run.rules, [each for _, each in sample], RULES)
            best = run.race(proposals, time.monotonic() + pace.seconds / 4)
            costly = {each.rule: _find_costly(each, sample) for each in best}
            rules = [each.rule for each in best]
        tested, deals = run.test(rules, costly)
        pools = dict.fromkeys(one.pool.title for one in seen)
        return Advice(
            bot=bot, game=game, pools=sorted(pools), decisions=len(sample), games=bench.games,
            deals=deals, tested=len(tested), holds=[each for each in tested if each.p < LEVEL
            and each.gain > 0], failed=[each for each in tested if each.p >= LEVEL or
            each.gain <= 0], seconds=round(time.monotonic() - began, 1),
        )  # fmt: skip


class _Run:
    """One search: the games, what is played, and by when."""

    def __init__(
        self, store: Store, bench: Bench, bot: str, rules: games.Game, seen: Sequence[Seen],
        pace: Pace, steps: Progress, began: float,
    ) -> None:  # fmt: skip
        self.store, self.bench, self.bot, self.rules, self.seen = store, bench, bot, rules, seen
        self.pace, self.steps, self.end = pace, steps, began + pace.seconds
        self.rng = Random(bench.key)
        self.fresh_deals, self.a_second = 0, 0.0  # games
        self.sampled, self.taken = list[tuple[Decision, Sampled]](), set[str]()  # by their places
        self.turns = list[Iterator[Seen]]()  # games that are still to be read, by pool

    def sample(self, end: float) -> list[tuple[Decision, Sampled]]:
        """Play decisions of stored games on with every alternative, until `end`; return all so
        far.
        """
        self.steps.begin("sampling decisions")
        by_pool = defaultdict[Pool, list[Seen]](list)
        for one in self.seen[: self.pace.games]:
            by_pool[one.pool].append(one)
        turns = self.turns = self.turns or [iter(each) for each in by_pool.values()]
        found, taken, many, at, before = self.sampled, self.taken, 12, 0, len(self.sampled)
        number = {one.id: at for at, one in enumerate(self.seen)}
        while turns and time.monotonic() < end:
            block = [*islice(turns[at % len(turns)], many)]
            if not block:
                turns.pop(at % len(turns))
                if not turns and len(found) > before:  # all were read: other decisions of them
                    turns += [iter(each) for each in by_pool.values()]
                    before = len(found)
                continue
            at += 1
            began, wanted = time.monotonic(), list[Wanted]()
            for one in block:
                decisions = [
                    each
                    for each in _decisions(self.store, one, self.bot)
                    if each.place not in taken
                ]
                for each in self.rng.sample(decisions, min(A_GAME, len(decisions))):
                    wanted.append(Wanted(each, *self._alternatives(each)))
                    taken.add(each.place)
            ended = play_worlds(self.bench, wanted, end_s=end, steps=self.steps)
            for (decision, _, _), outcomes in zip(wanted, ended, strict=True):
                worlds = set.intersection(*map(set, outcomes.values()))
                if worlds:
                    values = {
                        forced: fmean(by_world[world].beats for world in worlds)
                        for forced, by_world in outcomes.items()
                    }
                    game = number[decision.recorded.id]
                    sampled = Sampled(game, decision.view, decision.made, decision.legal, values)
                    found.append((decision, sampled))
            took = time.monotonic() - began
            many = max(4, min(4 * many, int(many * BLOCK_S / max(took, 0.1))))
        return sorted(found, key=lambda each: each[1].game)

    def _alternatives(self, decision: Decision) -> tuple[range, list[str]]:
        """What to force in how many worlds: with many alternatives, fewer of each."""
        others = [each for each in decision.legal if each != decision.made]
        if len(others) >= MOST_LEGAL:
            others = self.rng.sample(others, MOST_LEGAL - 1)
        return range(4 if len(others) < 4 else 2), [decision.made, *others]

    def race(self, proposals: Sequence[Proposal], end: float) -> list[Proposal]:
        """Let rules race on fresh deals; return those to be tested."""
        self.steps.begin(f"racing {len(proposals)} rules" if proposals else "racing rules")
        alive, gains = [*proposals], defaultdict[str, list[float]](list)

        def lead(each: Proposal) -> float:
            own = gains[str(each.rule)]
            return fmean(own) if own else 0.0

        for deals in self.pace.race:
            played = self.play_fresh([each.rule for each in alive], deals, "race", end)
            for at, each in enumerate(alive):
                gains[str(each.rule)] += [self._gain(deal, at) for deal in played]
            alive = sorted((each for each in alive if lead(each) > 0), key=lead, reverse=True)
            alive = alive[: max(TESTED, (len(proposals) + 1) // 2)]
        best = list[Proposal]()
        for each in alive:
            mean, error = lead(each), _error(gains[str(each.rule)])
            if mean > error and all(overlap(each, own) < SAME for own in best):
                best.append(each)
        return best[:TESTED]

    def play_fresh(
        self, rules: Sequence[Rule], deals: int, of: str, end: float = ENDLESS_S
    ) -> list[Deal]:
        """Play so many fresh deals without a rule and with each; return those that are whole."""
        if not rules:
            return []
        began, before = time.monotonic(), self.bench.games
        by_pool = defaultdict[Pool, list[Fixture]](list)
        for number in range(self.fresh_deals, self.fresh_deals + deals):
            one = self.seen[number % len(self.seen)]
            by_pool[one.pool].append(one.fixture._replace(deal=number))
        self.fresh_deals += deals
        found = list[Deal]()
        for left, (pool, fixtures) in zip(range(len(by_pool), 0, -1), by_pool.items(), strict=True):
            wraps, done, planned = dict[str, Rule | None](), dict[str, Played](), list[Fixture]()
            for fixture in fixtures:
                for at, rule in enumerate([None, *rules]):
                    id = f"{fixture.deal * (len(rules) + 1) + at:0{ids.ID_DIGITS}x}"
                    wraps[id] = rule
                    planned.append(fixture._replace(id=id))
            script = Wrapped(pool, self.bench.key, self.bot, wraps, of)
            share = (end - time.monotonic()) / left

            def emit(played: Played, done: dict[str, Played] = done) -> None:
                done[played.fixture.id] = played

            self.bench.play(pool, planned, script, emit, time.monotonic() + share, self.steps)
            nothing = Doing([], [], [])
            for fixture, own in zip(fixtures, _batches(planned, len(rules) + 1), strict=True):
                if all(each.id in done for each in own):
                    ended = [(done[e.id], script.did.get(e.id, nothing)) for e in own]
                    found.append(Deal(fixture, ended))
        took = max(time.monotonic() - began, 1e-3)
        self.a_second = (self.bench.games - before) / took
        return found

    def _seat(self, deal: Deal) -> int:
        names = [deal.fixture.line_up[place].name for place in deal.fixture.seating]
        return names.index(self.bot)

    def _gain(self, deal: Deal, at: int) -> float:
        """What a rule gained in a deal."""
        return self._beats(deal, at + 1) - self._beats(deal)

    def _beats(self, deal: Deal, at: int = 0) -> float:
        """The share of opponents beaten in one of a deal's games."""
        played, _ = deal.games[at]
        return outcome_of(self.rules, self._seat(deal), played.ranks, played.scores).beats

    def test(
        self, rules: Sequence[Rule], costly: Mapping[Rule, Sequence[Costly]]
    ) -> tuple[list[RuleTested], int]:
        """Test rules on fresh deals that had no part in choosing them; the best first."""
        if not rules:
            return [], 0
        self.steps.begin(f"testing {len(rules)} rules" if len(rules) > 1 else "testing the rule")
        pace, played, wanted = self.pace, list[Deal](), 60
        while len(played) < pace.most:
            late = time.monotonic() > self.end - pace.seconds / 20
            if late and (len(played) >= pace.least or time.monotonic() > self.end + pace.grace):
                break
            wanted = min(wanted, pace.most - len(played))
            played += self.play_fresh(rules, wanted, "test", self.end + pace.grace)
            left = max(self.end - time.monotonic(), 0.5)
            wanted = max(60, int(0.8 * left * self.a_second / (len(rules) + 1)))
        if len(played) < pace.least:
            enough = int(pace.seconds * (pace.least / max(len(played), 1))) + 1
            raise ArenaError(
                f"{self.bot}: {len(played)} fresh deals in this time, too few for a test; "
                f"give about --seconds {enough}"
            )
        gains = [[self._gain(deal, at) for deal in played] for at in range(len(rules))]
        before, found = fmean(self._beats(deal) for deal in played), list[RuleTested]()
        for at, (mean, half, p) in judge_gains(gains).items():
            doings = [deal.games[at + 1][1] for deal in played]
            asked = sum(len(did.asked) for did in doings)
            thirds = [0, 0, 0]
            for did in doings:
                for number in did.changed:
                    thirds[3 * number // len(did.asked)] += 1
            found.append(
                RuleTested(
                    rule=str(rules[at]), chosen=rules[at].chosen, better=rules[at].better,
                    when=[str(each) for each in rules[at].when], deals=len(played),
                    gain=round(mean, 4), interval=(round(mean - half, 4), round(mean + half, 4)),
                    p=p, before=round(before, 4), mu=mu_gained(before, mean),
                    mu_interval=(mu_gained(before, mean - half), mu_gained(before, mean + half)),
                    share=round(sum(thirds) / max(asked, 1), 4), thirds=thirds,
                    stayed=sum(len(did.stayed) for did in doings),
                    by_opponent=self._against(played, at), costliest=[*costly.get(rules[at], ())],
                )
            )  # fmt: skip
        return found, len(played)

    def _against(self, played: Sequence[Deal], at: int) -> list[Opponent]:
        """What a rule gained against each opponent, the most first."""
        gains = defaultdict[str, list[float]](list)
        for deal in played:
            seat = self._seat(deal)
            for other, place in enumerate(deal.fixture.seating):
                if self.rules.side(other) != self.rules.side(seat):
                    ends = [
                        (e.ranks[other] > e.ranks[seat]) + (e.ranks[other] == e.ranks[seat]) / 2
                        for e in (deal.games[0][0], deal.games[at + 1][0])
                    ]
                    gains[deal.fixture.line_up[place].name].append(ends[1] - ends[0])
        found = [
            Opponent(
                bot=name, gain=round(fmean(own), 4), error=round(_error(own), 4), deals=len(own)
            )
            for name, own in sorted(gains.items())
            if len(own) >= FEWEST_AGAINST
        ]
        return sorted(found, key=lambda each: -each.gain)


def judge_gains(gains: Sequence[Sequence[float]]) -> dict[int, tuple[float, float, float]]:
    """Judge some rules together by their gains, deal by deal: by number, the surest first, the
    mean, half of its interval, and p by Holm's method. An interval excludes 0 where p is below
    `LEVEL`.
    """
    errors = [_error(own) for own in gains]
    tails = [
        min(1.0, 2 * t_above(abs(fmean(own)) / error, len(own) - 1)) if error else 1.0
        for own, error in zip(gains, errors, strict=True)
    ]
    adjusted, found = adjust_by_holm(tails), dict[int, tuple[float, float, float]]()
    held = sum(p < LEVEL for p in adjusted)  # those that follow have the level where it stopped
    for place, at in enumerate(sorted(range(len(gains)), key=tails.__getitem__)):
        level = LEVEL / (len(gains) - min(place, held))
        half = t_critical(level, len(gains[at]) - 1) * errors[at]
        found[at] = fmean(gains[at]), half, adjusted[at]
    return found


def _batches(fixtures: Sequence[Fixture], size: int) -> Iterator[tuple[Fixture, ...]]:
    return zip_longest(*[iter(fixtures)] * size)


def _error(values: Sequence[float]) -> float:
    """Return the standard error of the mean."""
    if len(values) < 2:
        return 0.0
    mean = fmean(values)
    square = sum((each - mean) ** 2 for each in values) / (len(values) - 1)
    return sqrt(square / len(values))


def _find_costly(proposal: Proposal, sample: Sequence[tuple[Decision, Sampled]]) -> list[Costly]:
    """Find three decisions of the sample that the rule would have changed for most."""
    found = []
    for (decision, each), changed in zip(sample, proposal.changed, strict=True):
        if changed:
            rules, rule = decision.recorded.rules, proposal.rule
            better, _ = apply_rule(rule, rules, each.view, each.chosen, each.legal)
            gain = round(each.values[better] - each.values[each.chosen], 3)
            found.append(
                Costly(game=decision.recorded.id, seat=decision.seat, at=decision.at,
                       decision=each.chosen, better=better, gain=gain)
            )  # fmt: skip
    return sorted(found, key=lambda each: (-each.gain, each.game, each.at))[:3]
