"""Advice for a bot: a planted blunder is found, chance finds nothing, and no rule hides a fault."""

from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from arena.insight import bot, worlds
from arena.insight.bot import LEVEL, Pace, explain_bot, read_words
from arena.insight.positions import find_games
from arena.insight.report import Advice, describe_advice
from arena.insight.rules import Rule, Words, parse_rule
from arena.insight.worlds import Bench, Doing
from arena.progress import SILENT, Progress
from arena.store.store import Store
from arena.testing import decide, view_of
from tests.leagues import main, played_in
from tests.sessions import LIMITS

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time

KEY = b"key of sixteen c"
WORDS = Words("", frozenset({"pass", "take"}), frozenset(), frozenset({"pot", "card"}))
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
BLUNDERS = GOOD.replace("near or 3 *", "")  # it waits for three times the chips


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bots = {"ann": BLUNDERS, "bob": GOOD, "cid": GOOD + "\n", "dee": GOOD + "\n\n"}
    return played_in(tmp_path_factory.mktemp("advice"), CONFIG, bots)


def advise(folder: Path, *rules: str, pace: Pace, steps: Progress = SILENT) -> Advice:
    with closing(Store.open(folder)) as store:
        words = read_words(store, find_games(store, "ann", "no_thanks", KEY)) if rules else WORDS
        given = [parse_rule(rule, words) for rule in rules]
        rules_of = {"no_thanks": given}
        (found,) = explain_bot(store, "ann", rules_of, KEY, LIMITS, pace=pace, steps=steps)
        return found


RULE = Rule("pass", "take")
BENCH = Bench({}, SimpleNamespace(), LIMITS, KEY, SILENT)


def end(beats: float) -> bot.Ended:
    return bot.Ended([("bob", float(beats))], Doing(4, [1]))


def fake(monkeypatch: pytest.MonkeyPatch, play: Callable[[int, int], tuple[float, float]]) -> None:
    """The search finds `RULE`. What it and the bot as it is come to on a deal is made of the number
    of deals played in earlier calls, and of the deal's own in this one.
    """
    before = [0]

    def play_fresh(run: bot._Run, rules: list[Rule], deals: int, *_: object) -> list[bot.Deal]:
        ends = [play(before[0], deal) for deal in range(deals)]
        before[0] += deals
        return [{RULE: end(gained), None: end(had)} for gained, had in ends]

    monkeypatch.setattr(bot._Run, "_play_fresh", play_fresh)
    monkeypatch.setattr(bot._Run, "search", lambda run, end_s: run.alive.append(RULE))


def test_a_planted_blunder_is_found_and_tested_and_nothing_is_stored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that goes on by 10 ms with each game: the same games on any machine."""

    class Clock(Progress):
        games = 0

        def done(self, parts: int = 1) -> None:
            self.games += parts

        def monotonic(self) -> float:
            return self.games / 100

    def secret(*given: object) -> bytes:
        raise AssertionError("the tournament's secret is read")

    monkeypatch.setattr("arena.store.public.load_secret", secret)
    monkeypatch.setattr(bot, "time", clock := Clock())
    monkeypatch.setattr(worlds, "time", clock)
    before = (folder / "arena.sqlite").read_bytes()
    advice = advise(folder, pace=Pace(seconds=30, raced=60, most=200), steps=clock)
    assert (folder / "arena.sqlite").read_bytes() == before
    assert advice.confirmed, advice
    best = advice.confirmed[0]
    assert best.rule.startswith("pass -> take")
    assert best.gain >= best.interval[0] > 0
    assert best.p_value < LEVEL
    assert advice.rules_tested == len(advice.confirmed) + len(advice.rejected)
    assert 0 < best.changed_share < 1


def test_a_rule_that_changes_nothing_is_no_gain_and_a_bad_one_is_worse(folder: Path) -> None:
    pace = Pace(seconds=20, least=100, most=100)
    advice = advise(folder, "pass -> take when cards_left > 99", "* -> take", pace=pace)
    assert advice.confirmed == []
    nothing, worse = advice.rejected  # what may do harm comes last
    assert (worse.rule, nothing.gain, nothing.p_value) == ("* -> take", 0, 1)
    assert (worse.interval[1] < 0, nothing.changed_share) == (True, 0)
    told = [*describe_advice(advice, False, 60)]
    assert told[0] == "ann in No Thanks! (3p, 4p): 2 rules tested, 0 hold."
    assert told[1] == "1. pass -> take when cards_left > 99", "the best that failed are told"


def test_what_is_printed_of_a_rule_that_holds_is_not_from_the_deals_that_chose_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that gains on half of the deals of its test, and on a tenth of all others."""
    pace = Pace(seconds=0, least=200, most=200)
    for given, gain in (((), 0.1), (("pass -> take",), 0.5)):  # nothing chose a given one
        fake(monkeypatch, lambda before, deal: (not deal % (10 if before >= 200 else 2), 0))
        (best,) = advise(folder, *given, pace=pace).confirmed
        assert (best.gain, best.deals) == (gain, 200)
        assert best.p_value < 1e-9


def test_a_rule_that_held_holds_no_more_where_its_measured_gain_may_be_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gains on half of the deals of its test; of others on two in 100 more than it loses on."""

    def play(before: int, deal: int) -> tuple[float, float]:
        again, odd = before >= 200, deal % 2
        return odd or (again and not deal), again and deal and not odd

    fake(monkeypatch, play)
    found = advise(folder, pace=Pace(seconds=0, least=200, most=200))
    (tested,) = found.rejected
    assert (found.confirmed, tested.gain) == ([], 0.02)
    assert tested.p_value < LEVEL
    assert tested.interval[0] < 0


def test_too_few_deals_are_no_verdict_but_told_with_the_seconds_that_would_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that holds, of more deals."""
    fake(monkeypatch, lambda before, deal: (deal % 2, 0))
    advice = advise(folder, "pass -> take", pace=Pace(least=9999, most=600))
    (tested,) = advice.rejected
    assert (advice.confirmed, tested.deals, tested.gain) == ([], 600, 0.5)
    assert f" --seconds {advice.seconds_needed}`" in [*describe_advice(advice, True, 60)][-1]


def test_where_moves_are_equal_no_rule_holds(
    folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Sixty runs of ten rules whose gains are noise: one in 40 gains in its test, and of these one
    in 40 where it is measured.
    """
    rng, rules, held = Random(seed), [Rule("pass", f"take{n}") for n in range(10)], 0

    def play(run: bot._Run, rules: list[Rule], deals: int, *_: object) -> list[bot.Deal]:
        return [{rule: end(rng.random()) for rule in (None, *rules)} for _ in range(deals)]

    def search(run: bot._Run, end_s: float) -> None:
        run.alive = rules
        run._race(end_s, last=False)

    monkeypatch.setattr(bot, "open_bench", lambda *_: nullcontext(BENCH))
    monkeypatch.setattr(bot._Run, "_play_fresh", play)
    monkeypatch.setattr(bot._Run, "search", search)
    for _ in range(60):
        found = advise(folder, pace=Pace(seconds=0, raced=40, least=100, most=100))
        assert found.rules_tested
        held += bool(found.confirmed)
    assert held <= 1


def test_a_copy_of_the_bot_plays_the_rule_that_holds(folder: Path) -> None:
    """Behind the walls: at 36 chips in 100 of the cost it takes where the bot passes."""
    rule = ("--rule", "pass -> take when pot_share >= 33", "--seconds", 2, "--seed", 1)
    done = main("explain", folder, "ann", *rule, "--write", "eve")
    copy = folder.parents[1] / "bots" / "eve.py"
    assert done.returncode == 0, done.stderr
    assert "eve plays what holds best: `" in done.stderr.decode()
    code = copy.read_text().removeprefix(BLUNDERS.rstrip()).strip()
    assert code in done.stdout.decode(), "it is what is printed to be pasted"
    for pot, made in ((11, "take"), (3, "pass")):
        view = view_of("no_thanks", card=30, pot=pot)
        assert (decide(copy.parent / "ann.py", view), decide(copy, view)) == ("pass", made)
    again = main("explain", folder, "ann", *rule, "--write", "eve")
    assert (again.returncode, again.stdout) == (2, b"")
    assert again.stderr == b"--write: 'eve': exists already; choose another name\n"
    done = main("explain", folder, "ann", "--rule", "* -> take", "--seconds", 1, "--write", "fay")
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last) == (1, b"fay: not written, as no rule holds")
    copy.unlink()
