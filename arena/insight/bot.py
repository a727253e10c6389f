"""Advises a bot: rules for its decisions, tested in whole games.

Some of its stored decisions are played on with every alternative; rules that would have gained
there, and all plain swaps of one class of decisions for another, race each other on fresh deals;
the best are tested on others, and those that hold are measured on others again. Worlds propose,
play decides: a decision that is better once, all later ones being the old bot's, need not make a
better rule.
"""

import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, count, islice, zip_longest
from math import inf
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from msgspec.structs import replace as with_code

import games
from arena import ids
from arena.errors import ArenaError
from arena.insight.positions import Decision, find_decisions, find_games, open_game, read_sources
from arena.insight.report import Advice, Opponent, RuleTested, mu_gained
from arena.insight.rule_code import write_rule
from arena.insight.rules import Rule, Words, apply_rule, learn_words
from arena.insight.search import Sampled, propose, swap_plainly
from arena.insight.worlds import (
    Bench,
    Doing,
    Outcome,
    Wanted,
    Wrapped,
    open_bench,
    play_worlds,
    shares_ahead,
)
from arena.league.bots import ENTRY_FILE
from arena.model import Fixture, Limits, Pool
from arena.progress import SILENT, Progress
from arena.rating.p_values import estimate_mean, judge_means
from arena.store.scan import StoredGame
from arena.store.store import Store
from arena.words import amount

A_GAME, MOST_LEGAL, BLOCK_S = 8, 12, 8.0  # decisions of a game; alternatives; a session of worlds
RULES, TESTED = 12, 4  # that race: of a search; that are tested
TURNS = 0.75  # of the seconds, shared by the games, for their turns; a single game has two
SAMPLE = 0.4  # of a turn
MEASURE = 0.25  # of the seconds, after them
ROUNDS = 0.3, 0.6, 1.0  # ends of a race's rounds; in the last, conditions are dropped
FEWEST_RACED = 8  # deals without which a rule's gain is unknown, and none is out
A_RULE = 200  # games of the sample for each that races: it has some 30 deals in the first round
SAME = 0.5  # share of changes that two rules have in common
SURE = 4.0  # standard errors by which a rule leads in the race
LEVEL = 0.05
FEWEST_AGAINST = 30  # deals against an opponent
WORDS_GAMES = 40  # that tell what a rule may name


class Pace(NamedTuple):
    """Limits of play: until the seconds are over, and not more than the counts."""

    seconds: float = 60.0
    raced: int = 1000  # fresh deals of a round of the race; after each, the worse half is out
    least: int = 200  # deals of a test
    most: int = 4000
    grace: float = 15.0  # seconds more for the least deals


class Ended(NamedTuple):
    """The end of a game on a fresh deal for the bot, and the work of its rule."""

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
    store: Store, bot: str, given: Mapping[str, Sequence[Rule]], key: bytes, limits: Limits,
    confined: bool = True, pace: Pace = Pace(),  # noqa: B008 (a frozen value)
    steps: Progress = SILENT, without: Collection[str] = (),
) -> list[Advice]:  # fmt: skip
    """Search rules that make the bot better at each of the games, and test them; or test the given
    ones. Games with the bots `without` are left out. Raises ArenaError, also where the bots are too
    slow for the time.
    """
    end_s = time.monotonic() + pace.seconds
    seen = {game: find_games(store, bot, game, key, without) for game in given}
    bots = {entry for rows in seen.values() for one in rows for entry in one.line_up}
    with open_bench(read_sources(store, bots), limits, key, confined, steps) as bench:
        runs = [_Run(store, bench, bot, rows, given[game], pace) for game, rows in seen.items()]
        searched = not any(given.values())
        if searched:
            _find_rules(runs, end_s)
        for _ in ("test", "measure") if searched else ("test",):
            tried = [run for run in runs if run.chosen]
            for run, own_end_s in _by_turns(tried, end_s):
                run.play(own_end_s)
            _judge(tried)
            end_s = time.monotonic() + MEASURE * pace.seconds
    return [run.report() for run in runs]


def _by_turns(runs: Sequence["_Run"], end_s: float) -> Iterator[tuple["_Run", float]]:
    """Yield each with the end of its turn: an equal share of what the others left of the time."""
    for left, run in zip(range(len(runs), 0, -1), runs, strict=True):
        now_s = time.monotonic()
        yield run, now_s + max(end_s - now_s, 0.0) / left


def _find_rules(runs: Sequence["_Run"], end_s: float) -> None:
    """Search in the games by turns, until in one of them a rule leads for sure; choose the rules
    of that game, or after all turns of the one with the surest lead.
    """
    turns = [*runs, *runs][: max(2, len(runs))]
    for run, own_end_s in _by_turns(turns, end_s - (1 - TURNS) * runs[0].pace.seconds):
        run.search(own_end_s)
        if run.lead >= SURE:
            return run.choose()
    return max(runs, key=lambda run: run.lead).choose()


class _Run:
    """A game for which rules are searched."""

    def __init__(
        self, store: Store, bench: Bench, bot: str, seen: Sequence[StoredGame],
        given: Sequence[Rule], pace: Pace,
    ) -> None:  # fmt: skip
        self.store, self.bench, self.bot, self.seen = store, replace(bench, games=0), bot, seen
        self.pace, self.chosen = pace, [*given]
        self.rules, self.rng = games.load(seen[0].pool.game), Random(bench.key)
        self.sampled, self.scored = list[Sampled](), list[Sampled]()  # values: beats, score
        self.many = 12 * A_GAME  # decisions of the next block
        self.drawn, self.dealt = self._draw(), 0
        self.alive, self.gains = list[Rule](), defaultdict[Rule, list[float]](list)
        self.played, self.tested = list[Deal](), dict[Rule, RuleTested]()
        self.share = 1.0 if given else 1 - TURNS  # of the seconds, for a test
        self.needs_s: int | None = None  # that would do, where the deals are too few for a verdict

    def search(self, end_s: float) -> None:
        """Sample decisions, then race all plain swaps and the best rules by wins and by points."""
        began_s, games_before = time.monotonic(), self.bench.games
        left_s = end_s - began_s
        self._sample(began_s + SAMPLE * left_s)
        self.bench.steps.begin("searching rules")
        rules = [swap_plainly(self.rules, self.sampled)]
        for sample in (self.sampled, self.scored):
            rules.append([proposal.rule for proposal in propose(self.rules, sample, RULES)])
        new = (rule for rule in chain.from_iterable(zip_longest(*rules)) if rule not in self.gains)
        most = max(RULES, (self.bench.games - games_before) // A_RULE)
        self.alive += [*dict.fromkeys(filter(None, new))][:most]
        began_s = time.monotonic()
        for share in ROUNDS:
            self._race(began_s + share * (end_s - began_s), share == ROUNDS[-1])

    def _race(self, end_s: float, last: bool) -> None:
        """Play all rules that are left on the same fresh deals; the worse half is out."""
        if last:
            shorter = [short for rule in self.alive for short in _shorter(rule)]
            self.alive = [*dict.fromkeys([*self.alive, *shorter])]
        self.bench.steps.begin(f"racing {amount(len(self.alive), 'rule')}")
        played = self._play_fresh(self.alive, self.pace.raced, "race", end_s)
        for rule in self.alive:
            self.gains[rule] += _gains(played, rule)
        if min((len(self.gains[rule]) for rule in self.alive), default=0) >= FEWEST_RACED:
            self.alive.sort(key=lambda rule: -self._gain(rule)[0])
            del self.alive[max(TESTED, RULES if last else (len(self.alive) + 1) // 2) :]

    def _gain(self, rule: Rule, other: Rule | None = None) -> tuple[float, float]:
        """Compare two rules' gains in the race: difference and error, unknown at first."""
        gains = self.gains[rule]
        others = self.gains[other] if other else [0.0] * len(gains)
        both = zip(reversed(gains), reversed(others), strict=False)  # the later lacks the first
        mean, error = estimate_mean([one - two for one, two in both])
        return mean, error if len(gains) >= FEWEST_RACED else inf

    @property
    def lead(self) -> float:
        """The largest gain of a rule, in standard errors."""
        gains = map(self._gain, self.alive)
        return max((mean / error for mean, error in gains if error), default=-inf)

    def choose(self) -> None:
        """Choose the rules to be tested: those that gained, or else the best; the plainest that is
        not worse of each, and of those that are alike one.
        """
        every, changes = {rule: self._gain(rule) for rule in self.alive}, list[set[Any]]()
        some = any(mean > 0 for mean, _ in every.values())
        for rule in sorted(every, key=lambda rule: every[rule][1] - every[rule][0]):
            for plain in _shorter(rule):
                mean, error = self._gain(plain, rule)
                if plain == rule or -2 * mean <= error < inf:
                    break
            changed = self._find_changes(plain)
            alike = (len(changed & its) > SAME * min(len(changed), len(its)) for its in changes)
            if (every[rule][0] > 0 or not some) and plain not in self.chosen and not any(alike):
                self.chosen.append(plain)
                changes.append(changed)
        del self.chosen[TESTED:]
        if not (self.chosen or self.sampled):
            self.needs_s = int(2 * self.pace.seconds) + 1

    def _find_changes(self, rule: Rule) -> set[tuple[int, str]]:
        became = (apply_rule(rule, self.rules, *sample[:3])[0] for sample in self.sampled)
        pairs = enumerate(zip(self.sampled, became, strict=True))
        return {(row, new) for row, (sample, new) in pairs if new != sample.chosen}

    def _draw(self) -> Iterator[tuple[Decision, int]]:
        """Yield some decisions of each game, then others of each, all again when there are no
        more; and how often each one was here before.
        """
        for again in count():
            more = False
            for number, one in enumerate(self.seen):
                seats = [seat for seat, name in enumerate(one.fixture.names) if name == self.bot]
                decisions = find_decisions(open_game(self.store, one), seats)
                Random(self.bench.key + number.to_bytes(8)).shuffle(decisions)
                first = again * A_GAME
                for at in range(first, first + min(A_GAME, len(decisions))):
                    turn, place = divmod(at, len(decisions))
                    yield decisions[place], turn
                    more = True
            if not more:
                return

    def _sample(self, end_s: float) -> None:
        self.bench.steps.begin("sampling decisions")
        while time.monotonic() < end_s:
            began_s, drawn = time.monotonic(), [*islice(self.drawn, self.many)]
            if not drawn:
                return
            wanted = [self._alternatives(*pair) for pair in drawn]
            played = play_worlds(self.bench, wanted, end_s=end_s)
            for (decision, _), outcomes in zip(drawn, played, strict=True):
                worlds = set.intersection(*map(set, outcomes.values()))
                for samples, unit in zip((self.sampled, self.scored), Outcome._fields, strict=True):
                    if worlds:
                        values = {
                            forced: fmean(getattr(by_world[world], unit) for world in worlds)
                            for forced, by_world in outcomes.items()
                        }
                        about = decision.view, decision.actual, decision.legal
                        samples.append(Sampled(*about, values))
            took_s = max(time.monotonic() - began_s, 0.1)
            self.many = max(A_GAME, min(4 * self.many, int(self.many * BLOCK_S / took_s)))

    def _alternatives(self, decision: Decision, turn: int) -> Wanted:
        """Choose decisions to force, in new worlds each turn: fewer if alternatives are many."""
        others = [other for other in decision.legal if other != decision.actual]
        if len(others) >= MOST_LEGAL:
            others = self.rng.sample(others, MOST_LEGAL - 1)
        worlds = 4 if len(others) < 4 else 2
        first = turn * worlds
        return Wanted(decision, range(first, first + worlds), [decision.actual, *others])

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
        ended = defaultdict[int, Deal](dict)
        for left, (pool, fixtures) in zip(range(len(by_pool), 0, -1), by_pool.items(), strict=True):
            script, now_s = Wrapped(pool, self.bench.key, self.bot, wraps, of), time.monotonic()
            end_pool_s = now_s + (end_s - now_s) / left
            for played in self.bench.play(fixtures, script, end_pool_s):
                (id, _, _, deal), names = played.fixture, played.fixture.names
                shares = shares_ahead(self.rules, names.index(self.bot), played.ranks)
                ahead = [(names[other], share) for other, share in shares.items()]
                ended[deal][wraps[id]] = Ended(ahead, script.did.get(id, Doing()))
        return [ended[deal] for deal in numbers if len(ended[deal]) == len({*every})]

    def play(self, end_s: float) -> None:
        """Play what is chosen on fresh deals that had no part in the choice; the second time, on as
        many again, as the gain on the deals that chose what holds is too large.
        """
        of = f"{'measuring' if self.played else 'testing'} {amount(len(self.chosen), 'rule')}"
        self.bench.steps.begin(of)
        most, played, wanted = len(self.played) or self.pace.most, list[Deal](), 60
        began_s = time.monotonic()
        while len(played) < most:
            now_s = time.monotonic()
            enough = len(played) >= self.pace.least or now_s > end_s + self.pace.grace
            if enough and now_s > end_s - self.pace.seconds / 20:
                break
            if played:
                left_s = max(end_s - now_s, 0.5)
                wanted = max(60, int(0.8 * left_s * len(played) / max(now_s - began_s, 1e-3)))
            wanted = min(wanted, most - len(played))
            played += self._play_fresh(self.chosen, wanted, "test", end_s + self.pace.grace)
        self.played = played
        if (deals := len(played)) < (least := self.pace.least):
            took_s = time.monotonic() - began_s
            self.needs_s = int(took_s * least / max(deals, least // 9, 1) / self.share) + 1

    def holds(self, rule: Rule) -> bool:
        """True if a rule gained for sure where it was tested and where it was played last, on as
        many deals as a verdict takes.
        """
        if self.needs_s:
            return False
        return self.tested[rule].p_value < LEVEL and self.tested[rule].interval[0] > 0

    def report(self) -> Advice:
        """Report what was tested, the largest sure gain first; what holds has lines for the bot's
        file.
        """
        (bot,) = {entry for entry in self.seen[0].line_up if entry.name == self.bot}
        text = dict(self.store.source_of(bot) or ()).get(ENTRY_FILE, b"").decode(errors="replace")
        in_order = sorted(self.tested.items(), key=lambda pair: -pair[1].interval[0])
        kinds = read_words(self.store, self.seen).kinds if self.chosen else ()
        return Advice(
            bot=self.bot, game=self.rules.NAME, pools=sorted({o.pool.title for o in self.seen}),
            decisions=len(self.sampled), games=self.bench.games, rules_tested=len(self.tested),
            confirmed=[
                with_code(test, code=write_rule(rule, self.rules, kinds, text))
                for rule, test in in_order if self.holds(rule)
            ],
            rejected=[test for rule, test in in_order if not self.holds(rule)],
            seconds_needed=self.needs_s,
        )  # fmt: skip


def _judge(runs: Sequence[_Run]) -> None:
    """Judge what was played, together over all rules of all games; the p of a test stays, and what
    holds stays chosen. Raises ArenaError where nothing could be judged, now or before.
    """
    every = [(run, rule) for run in runs if len(run.played) > 1 for rule in run.chosen]
    judged = judge_means([_gains(run.played, rule) for run, rule in every], LEVEL)
    for (its, rule), (gain, half, p) in zip(every, judged, strict=True):
        before = its.tested.get(rule)
        its.tested[rule] = _tell(rule, its.played, gain, half, before.p_value if before else p)
    for run in runs:
        run.chosen = [rule for rule in run.chosen if run.holds(rule)]
    if runs and not any(run.tested for run in runs):
        few = f"{runs[0].bot}: {amount(len(runs[0].played), 'fresh deal')} in this time"
        enough = f"--game {runs[0].rules.NAME} --seconds {runs[0].needs_s}"
        raise ArenaError(
            f"{few}, too few for a test; give about {enough}, or leave slow bots out by --without"
        )


def _shorter(rule: Rule) -> Iterator[Rule]:
    """Yield the rule with each choice of its conditions, the fewest first; itself at last."""
    for length in range(len(rule.when) + 1):
        for when in combinations(rule.when, length):
            yield rule._replace(when=when)


def _gains(played: Sequence[Deal], rule: Rule) -> list[float]:
    return [deal[rule].beats - deal[None].beats for deal in played]


def _tell(rule: Rule, played: Sequence[Deal], gain: float, half: float, p: float) -> RuleTested:
    did = [deal[rule].did for deal in played]
    phases = [number / doing.asked for doing in did for number in doing.changed]
    before = fmean(deal[None].beats for deal in played)
    against = defaultdict[str, list[float]](list)
    for deal in played:
        for (bot, was), (_, becomes) in zip(deal[None].ahead, deal[rule].ahead, strict=True):
            against[bot].append(becomes - was)
    opponents = [
        Opponent(bot=bot, gain=round(mean, 4), gain_se=round(error, 4), deals=len(gains))
        for bot, gains in sorted(against.items())
        for mean, error in [estimate_mean(gains)]
        if len(gains) >= FEWEST_AGAINST
    ]
    return RuleTested(
        rule=str(rule), deals=len(played), gain=round(gain, 4),
        interval=(round(gain - half, 4), round(gain + half, 4)), p_value=p,
        share_without_rule=round(before, 4),
        gain_mu=mu_gained(before, gain),
        changed_mean_progress=round(fmean(phases), 3) if phases else 0.0,
        changed_share=round(len(phases) / max(sum(doing.asked for doing in did), 1), 4),
        no_replacement=sum(doing.stayed for doing in did),
        by_opponent=sorted(opponents, key=lambda one: -one.gain),
    )  # fmt: skip
