"""Advice for a bot: a planted blunder is found, chance finds nothing, and no rule hides a fault."""

import hashlib
from collections import Counter
from contextlib import closing
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import arena.store
from arena.errors import ArenaError
from arena.insight import bot
from arena.insight.bot import LEVEL, Pace, explain_bot, read_words
from arena.insight.positions import find_games
from arena.insight.report import Advice, describe_advice
from arena.insight.rules import Rule, parse_rule
from arena.insight.search import Proposal
from arena.insight.worlds import Bench, Doing, Wrapped, open_bench
from arena.league import hash_source
from arena.model import Bot, Fixture, Pool
from arena.progress import SILENT
from arena.store import Store
from tests.insight.played import source_of
from tests.leagues import played_in
from tests.sessions import LIMITS

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time

KEY = b"key of sixteen c"
CONFIG = """\
seed = 5
[[games]]
game = "no_thanks"
players = [3, 4]
deals = 8
"""
GOOD = """\
\"\"\"Takes a card that costs little for the chips on it.\"\"\"
def decide(view):
    mine = view.taken[view.seat]
    near = view.card - 1 in mine or view.card + 1 in mine
    return "take" if near or 3 * view.pot >= view.card else "pass"
"""
BLUNDERS = GOOD.replace("near or 3 *", "")
"""Waits for three times the chips."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bots = {"ann": BLUNDERS, "bob": GOOD, "cid": GOOD + "\n", "dee": GOOD + "\n\n"}
    return played_in(tmp_path_factory.mktemp("advice"), CONFIG, bots)


def advise(folder: Path, *rules: str, pace: Pace) -> Advice:
    with closing(Store.open(folder)) as store:
        seen = find_games(store, "ann", "no_thanks", KEY)
        words = read_words(store, seen)
        given = [parse_rule(rule, words) for rule in rules]
        return explain_bot(store, "ann", "no_thanks", given, KEY, LIMITS, pace=pace)


def test_a_planted_blunder_is_found_and_tested_and_nothing_is_stored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a count of deals; the time is no limit here."""

    def secret(*given: object) -> bytes:
        raise AssertionError("the tournament's secret is read")

    for name in ("find_evidence", "read_archive"):
        monkeypatch.setattr(arena.store, name, secret, raising=False)
    before = hashlib.sha256((folder / "arena.sqlite").read_bytes()).digest()
    advice = advise(folder, pace=Pace(seconds=16, most=400))
    assert hashlib.sha256((folder / "arena.sqlite").read_bytes()).digest() == before
    assert advice.holds, advice
    best = advice.holds[0]
    assert best.rule.startswith("pass -> take")
    assert best.gain > 0
    assert best.interval[0] > 0
    assert best.p < LEVEL
    assert advice.tested == len(advice.holds) + len(advice.failed)
    assert 0 < best.share < 1
    assert 0 <= best.phase < 1
    hold = f"{len(advice.holds)} hold{'s' * (len(advice.holds) == 1)}."
    assert next(describe_advice(advice, given=False)).endswith(f" tested, {hold}")


def test_in_a_small_league_each_decision_comes_again_with_other_worlds(folder: Path) -> None:
    with closing(Store.open(folder)) as store:
        seen = find_games(store, "ann", "no_thanks", KEY)[:2]
        bench = Bench({}, SimpleNamespace(), LIMITS, KEY, SILENT)  # type: ignore[arg-type]
        run = bot._Run(store, bench, "ann", seen, Pace(), 0.0)
        drawn = [*islice(run.drawn, 300)]
        wanted = [run._alternatives(each, turn) for _, each, turn in drawn]
    worlds = Counter((one.decision.place, world) for one in wanted for world in one.worlds)
    assert max(worlds.values()) == 1
    first, second = ({each.place for _, each, turn in drawn if turn == own} for own in (0, 1))
    assert first == second
    assert len(first) > 2 * bot.A_GAME


def test_a_rule_that_changes_nothing_is_no_gain_and_a_bad_one_is_worse(folder: Path) -> None:
    pace = Pace(seconds=20, least=100, most=200)
    advice = advise(folder, "pass -> take when cards_left > 99", "* -> take", pace=pace)
    assert advice.holds == []
    worse, nothing = advice.failed
    assert (worse.rule, nothing.gain, nothing.p) == ("* -> take", 0, 1)
    assert worse.interval[1] < 0
    assert any("It changed no decision" in line for line in describe_advice(advice, True))
    assert nothing.share == 0
    assert next(describe_advice(advice, given=False)).startswith(
        "ann in No Thanks!: no change found that holds (2 rules tested;"
    )


def test_what_is_printed_of_a_rule_that_holds_is_not_from_the_deals_that_chose_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that gains on half of the deals of its test, and on a tenth of all others."""
    rule, rounds = Rule("pass", "take"), list[int]()

    def play(run: bot._Run, rules: list[Rule], deals: int, *_: object) -> list[bot.Deal]:
        often, doing = 10 if sum(rounds) >= 200 else 2, Doing(4, [1])
        rounds.append(deals)
        return [
            {rule: bot.Ended([("bob", float(not deal % often))], doing),
             None: bot.Ended([("bob", 0.0)], doing)}
            for deal in range(deals)
        ]  # fmt: skip

    monkeypatch.setattr(bot._Run, "_play_fresh", play)
    monkeypatch.setattr(bot._Run, "find_rules", lambda run: [rule])
    pace = Pace(seconds=0, least=200, most=200)
    found = advise(folder, pace=pace)
    (best,) = found.holds
    assert (best.gain, best.deals, sum(rounds)) == (0.1, 200, 400)
    assert best.p < 1e-9
    assert any("beats 10.0 " in line for line in describe_advice(found, given=False))
    rounds.clear()
    (best,) = advise(folder, "pass -> take", pace=pace).holds  # nothing chose it
    assert (best.gain, sum(rounds)) == (0.5, 200)


def test_too_few_deals_are_no_test(folder: Path) -> None:
    with pytest.raises(ArenaError, match="too few for a test; give about --seconds"):
        advise(folder, "pass -> take", pace=Pace(seconds=0.05, least=100_000, grace=0.1))


def test_a_bot_that_is_too_slow_for_the_race_is_told_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of no time at all, as of a bot that has finished no game when the race is over."""
    proposal = Proposal(Rule("pass", "take"), 0.1, np.ones(1, bool))
    monkeypatch.setattr(bot, "propose", lambda *given: [proposal])
    with pytest.raises(ArenaError, match="ann: 0 fresh deals in this time, too few for a race"):
        advise(folder, pace=Pace(seconds=0))


def test_no_rule_hides_a_fault(tmp_path: Path) -> None:
    """The bot answers nonsense now and then: with any rule it forfeits as it did."""
    bad = "def decide(view):\n    return 'nonsense' if view.cards_left == 15 else 'pass'\n"
    texts = {"ann": bad, "bob": GOOD, "cid": GOOD + "\n"}
    bots = [Bot(name, hash_source(source_of(text))) for name, text in texts.items()]
    pool = Pool("no_thanks", 3, "{}", "")
    rules: list[Rule | None] = [None, Rule("*", "take"), Rule("nonsense", "take")]
    fixtures = [
        Fixture(f"{deal * 3 + at:020x}", tuple(bots), (0, 1, 2), deal)
        for deal in range(20)
        for at in range(3)
    ]
    wraps = {fixture.id: rules[int(fixture.id, 16) % 3] for fixture in fixtures}
    sources = dict(zip(bots, map(source_of, texts.values()), strict=True))
    with open_bench(sources, LIMITS, KEY) as bench:
        script = Wrapped(pool, KEY, "ann", wraps, "test")
        played = {one.fixture.id: one for one in bench.play(fixtures, script)}
    assert len(played) == len(fixtures)
    faults = [[bool(played[f.id].faults) for f in fixtures[at::3]] for at in range(3)]
    assert any(faults[0])
    assert faults[2] == faults[0]
    assert any(faults[1])  # it takes cards, and comes to the same question in most deals
