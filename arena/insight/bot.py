"""Advises a bot: rules for its decisions, tested in whole games.

Some of its stored decisions are played on with every alternative; rules that would have gained
there race each other on fresh deals; the best are tested on others, and those that hold are
measured on others again. Worlds propose, play decides: a decision that is better once, all later
ones being the old bot's, need not make a better rule.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random
from statistics import fmean
from typing import NamedTuple

from msgspec.structs import replace

import games
from arena import ids
from arena.errors import ArenaError
from arena.insight.positions import Decision, find_decisions, find_games, open_game, read_sources
from arena.insight.report import Advice, Opponent, RuleTested, mu_gained
from arena.insight.rules import Rule, Words, learn_words
from arena.insight.search import Proposal, Sampled, is_within, propose
from arena.insight.worlds import (
    Bench,
    Doing,
    Wanted,
    Wrapped,
    open_bench,
    play_worlds,
    shares_ahead,
)
from arena.model import Fixture, Limits, Pool
from arena.progress import SILENT, Progress
from arena.rating import estimate_mean, judge_means
from arena.store import Store, StoredGame

A_GAME, MOST_LEGAL, BLOCK_S = 8, 12, 8.0  # decisions of a game; alternatives; a session of worlds
RULES, TESTED = 12, 4  # that race, that are tested
SAME = 0.5  # share of changes that two rules have in common
LEVEL = 0.05
FEWEST_AGAINST = 30  # deals against an opponent
WORDS_GAMES = 40  # that tell what a rule may name


class Pace(NamedTuple):
    """How much is played: until the seconds are over, and not more than the counts."""

    seconds: float = 60.0
    race: tuple[int, ...] = (60, 120, 240)  # fresh deals; after each, the worse half is out
    least: int = 200  # deals of a test
    most: int = 4000
    grace: float = 15.0  # seconds more for the least deals


class Ended(NamedTuple):
    """How a game on a fresh deal ended for the bot, and what its rule did."""

    ahead: list[tuple[str, float]]  # by opponent: 1 where it finished ahead, a tie half
    did: Doing

    @property
    def beats(self) -> float:
        """The share of opponents beaten."""
        return fmean(share for _, share in self.ahead)


Deal = dict[Rule | None, Ended]
"""A fresh deal as it was played: as the bot is (None), and by each rule."""


def read_words(store: Store, seen: Sequence[StoredGame]) -> Words:
    """Read from some games what a rule may name."""
    opened = [open_game(store, row) for row in seen[:WORDS_GAMES]]
    decisions = [one for game in opened for one in find_decisions(game, range(game.pool.players))]
    return learn_words(opened[0].rules, [(one.view, one.legal) for one in decisions])


def explain_bot(
    store: Store, bot: str, game: str, given: Sequence[Rule], key: bytes, limits: Limits,
    confined: bool = True, pace: Pace = Pace(),  # noqa: B008 (a frozen value)
    steps: Progress = SILENT,
) -> Advice:  # fmt: skip
    """Search rules that make the bot better at a game, and test them; or test the given ones.
    Raises ArenaError, also where the bots are too slow for the time.
    """
    began_s = time.monotonic()
    seen = find_games(store, bot, game, key)
    bots = {each for one in seen for each in one.line_up}
    with open_bench(read_sources(store, bots), limits, key, confined, steps) as bench:
        run = _Run(store, bench, bot, seen, pace, began_s)
        rules = given or run.find_rules()
        tested = run.test(rules) if rules else []
        held = [each for each in tested if each.p < LEVEL and each.gain > 0]
        holds = run.measure(rules, held) if held and not given else held
    return Advice(
        bot=bot, game=game, pools=sorted({one.pool.title for one in seen}),
        decisions=len(run.sampled), games=bench.games, tested=len(tested), holds=holds,
        failed=[each for each in tested if each not in held],
    )  # fmt: skip


class _Run:
    def __init__(
        self, store: Store, bench: Bench, bot: str, seen: Sequence[StoredGame], pace: Pace,
        began_s: float,
    ) -> None:  # fmt: skip
        self.store, self.bench, self.bot, self.seen = store, bench, bot, seen
        self.pace, self.began_s = pace, began_s
        self.rules, self.rng = games.load(seen[0].pool.game), Random(bench.key)
        self.sampled, self.many = list[Sampled](), 12 * A_GAME  # decisions of the next block
        self.drawn, self.dealt = self._draw(), 0

    def _end_s(self, share: float = 1.0) -> float:
        return self.began_s + share * self.pace.seconds

    def find_rules(self) -> list[Rule]:
        for share in (0.5, 0.75):  # where nothing is found at first, a larger sample
            self._sample(self._end_s(share))
            self.bench.steps.begin("searching rules")
            sample = sorted(self.sampled, key=lambda each: each.game)
            proposals = propose(self.rules, sample, RULES)
            if proposals:
                return self._race(proposals)
        return []

    def _draw(self) -> Iterator[tuple[int, Decision, int]]:
        """Yield some decisions of each game with its number, then others of each, all again when
        there are no more; and how often each one was here before.
        """
        for again in count():
            found = False
            for number, one in enumerate(self.seen):
                seats = [seat for seat, name in enumerate(one.fixture.names) if name == self.bot]
                decisions = find_decisions(open_game(self.store, one), seats)
                Random(self.bench.key + number.to_bytes(8)).shuffle(decisions)
                first = again * A_GAME
                for at in range(first, first + min(A_GAME, len(decisions))):
                    turn, place = divmod(at, len(decisions))
                    yield number, decisions[place], turn
                    found = True
            if not found:
                return

    def _sample(self, end_s: float) -> None:
        """Play decisions of stored games on with every alternative, until then."""
        self.bench.steps.begin("sampling decisions")
        while time.monotonic() < end_s:
            began_s, drawn = time.monotonic(), [*islice(self.drawn, self.many)]
            if not drawn:
                return
            wanted = [self._alternatives(each, turn) for _, each, turn in drawn]
            played = play_worlds(self.bench, wanted, end_s=end_s)
            for (number, decision, _), outcomes in zip(drawn, played, strict=True):
                worlds = set.intersection(*map(set, outcomes.values()))
                if worlds:
                    values = {
                        forced: fmean(by_world[world].beats for world in worlds)
                        for forced, by_world in outcomes.items()
                    }
                    about = decision.view, decision.made, decision.legal
                    self.sampled.append(Sampled(number, *about, values))
            took_s = max(time.monotonic() - began_s, 0.1)
            self.many = max(A_GAME, min(4 * self.many, int(self.many * BLOCK_S / took_s)))

    def _alternatives(self, decision: Decision, turn: int) -> Wanted:
        """What to force, in new worlds each turn: with many alternatives, fewer of each."""
        others = [each for each in decision.legal if each != decision.made]
        if len(others) >= MOST_LEGAL:
            others = self.rng.sample(others, MOST_LEGAL - 1)
        worlds = 4 if len(others) < 4 else 2
        first = turn * worlds
        return Wanted(decision, range(first, first + worlds), [decision.made, *others])

    def _race(self, proposals: Sequence[Proposal]) -> list[Rule]:
        self.bench.steps.begin(f"racing {len(proposals)} rules")
        end_s, dealt = time.monotonic() + self.pace.seconds / 4, 0
        alive, gains = [*proposals], defaultdict[Rule, list[float]](list)

        def lead(each: Proposal) -> float:
            return estimate_mean(gains[each.rule])[0]

        for deals in self.pace.race:
            played = self._play_fresh([each.rule for each in alive], deals, "race", end_s)
            dealt += len(played)
            for each in alive:
                gains[each.rule] += _gains(played, each.rule)
            alive = sorted((each for each in alive if lead(each) > 0), key=lead, reverse=True)
            alive = alive[: max(TESTED, (len(proposals) + 1) // 2)]
        best = list[Proposal]()
        for each in alive:
            mean, error = estimate_mean(gains[each.rule])
            if mean > error and not any(is_within(each, own, SAME) for own in best):
                best.append(each)
        if not best and dealt < self.pace.race[0]:
            raise self._too_slow(dealt, self.pace.race[0], "a race of rules")
        return [each.rule for each in best[:TESTED]]

    def _too_slow(self, deals: int, least: int, what: str) -> ArenaError:
        enough = int((time.monotonic() - self.began_s) * least / max(deals, least // 9, 1)) + 1
        return ArenaError(
            f"{self.bot}: {deals} fresh deals in this time, too few for {what}; "
            f"give about --seconds {enough}"
        )

    def _play_fresh(self, rules: Sequence[Rule], deals: int, of: str, end_s: float) -> list[Deal]:
        """Play so many fresh deals without a rule and with each; return those that are whole."""
        every, numbers = [None, *rules], range(self.dealt, self.dealt + deals)
        by_pool, wraps = defaultdict[Pool, list[Fixture]](list), dict[str, Rule | None]()
        for deal in numbers if rules else ():
            row = self.seen[deal % len(self.seen)]
            for at, rule in enumerate(every):
                id = f"{deal * len(every) + at:0{ids.ID_DIGITS}x}"
                wraps[id] = rule
                by_pool[row.pool].append(row.fixture._replace(id=id, deal=deal))
        self.dealt += deals
        found = defaultdict[int, Deal](dict)
        for left, (pool, fixtures) in zip(range(len(by_pool), 0, -1), by_pool.items(), strict=True):
            script, now_s = Wrapped(pool, self.bench.key, self.bot, wraps, of), time.monotonic()
            end_pool_s = now_s + (end_s - now_s) / left
            for played in self.bench.play(fixtures, script, end_pool_s):
                (id, _, _, deal), names = played.fixture, played.fixture.names
                shares = shares_ahead(self.rules, names.index(self.bot), played.ranks)
                ahead = [(names[other], share) for other, share in shares.items()]
                found[deal][wraps[id]] = Ended(ahead, script.did.get(id, Doing()))
        return [found[deal] for deal in numbers if len(found[deal]) == len({*every})]

    def test(self, rules: Sequence[Rule]) -> list[RuleTested]:
        """Test rules on fresh deals that had no part in choosing them; the surest first."""
        self.bench.steps.begin(f"testing {len(rules)} rules" if rules[1:] else "testing the rule")
        pace, played, wanted, began_s = self.pace, list[Deal](), 60, time.monotonic()
        while len(played) < pace.most:
            left_s = self._end_s() - time.monotonic()
            enough = len(played) >= pace.least or left_s < -pace.grace
            if enough and left_s < pace.seconds / 20:
                break
            wanted = min(wanted, pace.most - len(played))
            played += self._play_fresh(rules, wanted, "test", self._end_s() + pace.grace)
            now_s = time.monotonic()
            left_s = max(self._end_s() - now_s, 0.5)
            wanted = max(60, int(0.8 * left_s * len(played) / max(now_s - began_s, 1e-3)))
        return self._judge(rules, played)

    def measure(self, rules: Sequence[Rule], held: Sequence[RuleTested]) -> list[RuleTested]:
        """Measure those of the rules that held on as many fresh deals again: the gain on the deals
        that chose them is too large.
        """
        self.bench.steps.begin("measuring what holds")
        by_text, end_s = {str(rule): rule for rule in rules}, time.monotonic() + self.pace.seconds
        chosen = [by_text[each.rule] for each in held]
        played = self._play_fresh(chosen, held[0].deals, "test", end_s + self.pace.grace)
        again = {each.rule: each for each in self._judge(chosen, played)}
        return [replace(again[each.rule], p=each.p) for each in held]

    def _judge(self, rules: Sequence[Rule], played: Sequence[Deal]) -> list[RuleTested]:
        if len(played) < self.pace.least:
            raise self._too_slow(len(played), self.pace.least, "a test")
        judged = judge_means([_gains(played, rule) for rule in rules], LEVEL)
        told = [_tell(rule, played, *own) for rule, own in zip(rules, judged, strict=True)]
        return sorted(told, key=lambda each: each.p)


def _gains(played: Sequence[Deal], rule: Rule) -> list[float]:
    return [deal[rule].beats - deal[None].beats for deal in played]


def _tell(rule: Rule, played: Sequence[Deal], gain: float, half: float, p: float) -> RuleTested:
    did = [deal[rule].did for deal in played]
    phases = [number / each.asked for each in did for number in each.changed]
    before = fmean(deal[None].beats for deal in played)
    against = defaultdict[str, list[float]](list)
    for deal in played:
        for (bot, was), (_, becomes) in zip(deal[None].ahead, deal[rule].ahead, strict=True):
            against[bot].append(becomes - was)
    opponents = [
        Opponent(bot=bot, gain=round(mean, 4), error=round(error, 4), deals=len(own))
        for bot, own in sorted(against.items())
        for mean, error in [estimate_mean(own)]
        if len(own) >= FEWEST_AGAINST
    ]
    return RuleTested(
        rule=str(rule), deals=len(played), gain=round(gain, 4),
        interval=(round(gain - half, 4), round(gain + half, 4)), p=p, before=round(before, 4),
        mu=mu_gained(before, gain), phase=round(fmean(phases), 3) if phases else 0.0,
        share=round(len(phases) / max(sum(each.asked for each in did), 1), 4),
        stayed=sum(each.stayed for each in did),
        by_opponent=sorted(opponents, key=lambda each: -each.gain),
    )  # fmt: skip
