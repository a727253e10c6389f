"""A lost game explained: what is marked did cost the game, and what it cost is right."""

import json
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from math import hypot, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import pytest

from arena import ids
from arena.errors import ArenaError
from arena.insight.game import Budget, _Look, compare, explain_game, find_habits
from arena.insight.positions import Decision, find_decisions, open_game, read_sources
from arena.insight.report import Explained, Habit
from arena.insight.worlds import Outcome, outcome_of
from arena.store.scan import StoredGame
from arena.store.store import Store
from games import no_thanks
from tests.leagues import alter, copied, played_in
from tests.sessions import CHANCE, FIRST, LIMITS

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time

CONFIG = """\
seed = 5
[[games]]
game = "no_thanks"
players = 3
deals = 6
options = { chips = 5 }
"""
NAMES = {"ann": FIRST, "bob": FIRST, "cid": FIRST}
"""They pass as long as they can. To take the first card is better, which has no run yet: it is the
one that brings the fewest points in the end, or nearly."""
ENOUGH = Budget(seconds=3600.0, deals=9, again=6, scout=4, sift=8, measure=3)
FEW = Budget(seconds=3600.0, deals=4, again=2, scout=2, sift=2, measure=2)
KEY = ids.secret_from_seed(1)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played_in(tmp_path_factory.mktemp("explained"), CONFIG, NAMES)


@pytest.fixture
def store(results: Path) -> Iterator[Store]:
    with closing(Store.open(results)) as opened:
        yield opened


def lost(store: Store) -> list[tuple[StoredGame, int]]:
    """Return the games that ann lost, with its seat."""
    rows = [(row, row.fixture.names.index("ann")) for row in store.games(in_order_of_id=True)]
    return [(row, seat) for row, seat in rows if json.loads(row.ranks)[seat] > 1]


def explain(
    store: Store,
    row: StoredGame,
    *seats: int,
    key: bytes = KEY,
    budget: Budget = FEW,
    true: bool = False,
) -> Explained:
    given = open_game(store, row), read_sources(store, row.line_up)
    return explain_game(*given, seats, key, LIMITS, true, budget=budget)


def worth(row: StoredGame, seat: int, at: int) -> tuple[float, float]:
    """What taking the first card would gain there, and the error: by the rules, with other cards
    below it, in another way than sessions do. Seed 7.
    """
    options, rng, gains = no_thanks.Options(chips=5), Random(7), list[float]()
    card = json.loads(row.line)["setup"]["deck"][0]
    for _ in range(300):
        rest = [other for other in no_thanks.CARDS if other != card]
        rng.shuffle(rest)
        beats = {}
        for first in ("pass", "take"):
            setup = no_thanks.Setup((card, *rest[:23]), tuple(rest[23:]), (seat - at) % 3)
            state = no_thanks.State(options, 3, setup)
            for decision in ["pass"] * at + [first]:
                state.apply(decision)
            while state.to_act is not None:
                state.apply(state.legal()[0])
            ended = state.result()
            beats[first] = outcome_of(no_thanks, seat, ended["ranks"], ended["scores"]).beats
        gains.append(beats["take"] - beats["pass"])
    return fmean(gains), stdev(gains) / sqrt(len(gains))


def test_a_blunder_is_marked_with_what_it_cost(store: Store) -> None:
    row, seat = lost(store)[2]
    (found,) = explain(store, row, seat, budget=ENOUGH).seats
    at = found.shares_by_decision[0][0]
    ours, error = worth(row, seat, at)
    assert ours > 0.3
    (mark,) = [mark for mark in found.mistakes if mark.action_number == at]
    assert (mark.decision, mark.better, mark.view["seat"]) == ("pass", "take", seat)
    assert abs(mark.loss - ours) <= 3 * hypot(mark.loss_se, error), (mark.loss, ours)


def test_with_true_cards_and_no_dice_some_worlds_tell_it_exactly(store: Store) -> None:
    """The recorded game is what the decisions that were made are worth."""
    row, seat = lost(store)[0]
    found = explain(store, row, seat, budget=ENOUGH, true=True)
    (own,) = found.seats
    assert found.worlds == "true cards"
    assert {share for _, _, share in own.shares_by_decision} == {own.share_beaten}
    choices = 2 * len(own.shares_by_decision) * 4
    assert found.games == ENOUGH.deals + ENOUGH.again + choices


def test_one_key_repeats_a_run_and_neither_the_store_is_written_nor_the_secret_read(
    results: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hashes() -> dict[Path, bytes]:  # SQLite has files of its own beside an open one
        files = [file for file in results.rglob("*") if file.is_file()]
        return {f: sha256(f.read_bytes()).digest() for f in files if "sqlite-" not in f.name}

    row, seat = lost(store)[0]
    before, read, meta = hashes(), list[str](), Store.meta

    def noted(own: Store, key: str) -> Any:
        read.append(key)
        return meta(own, key)

    monkeypatch.setattr(Store, "meta", noted)
    found = explain(store, row, 0, 1, 2)
    assert "secret" not in read
    assert hashes() == before
    alone = explain(store, row, seat)
    assert explain(store, row, seat) == alone
    assert explain(store, row, seat, key=ids.secret_from_seed(2)) != alone
    assert ([one.seat for one in found.seats], found.bots[seat]) == ([0, 1, 2], "ann")
    assert sum(one.share_beaten for one in found.seats) == pytest.approx(1.5)


def test_when_no_decision_could_be_looked_at_more_seconds_are_asked_for(store: Store) -> None:
    row, seat = lost(store)[0]
    with pytest.raises(ArenaError, match=r"could be played on in 0 s; give about --seconds 1$"):
        explain(store, row, seat, budget=Budget(seconds=0.0))


def test_a_seat_is_explained_up_to_its_forfeit_and_a_bot_that_cannot_play_on_is_named(
    tmp_path: Path,
) -> None:
    fails = "def decide(view):\n    return view.legal[0 if view.pot < 5 else 9]\n"
    bots = {"ann": CHANCE, "bob": fails, "cid": FIRST}
    folder = played_in(tmp_path, CONFIG.replace("6", "1"), bots)
    with closing(Store.open(folder)) as store:
        row = next(row for row in store.games(in_order_of_id=True) if row.faults)
        ((seat, _, action),) = row.faults
        found = explain(store, row, seat)
        assert all(at < action for at, _, _ in found.seats[0].shares_by_decision)
        assert found.faults["bob"] > 5
    other = copied(folder, tmp_path / "other")
    alter(other / "arena.sqlite", "UPDATE bot SET source = x'' WHERE name = 'bob'")
    with (
        closing(Store.open(other)) as store,
        pytest.raises(ArenaError, match="has no source of bob, which is needed to play on"),
    ):
        explain(store, row, seat)


def test_alternatives_are_compared_in_the_worlds_that_both_have() -> None:
    """By hand: gains .5, 0 and 1; their mean .5, standard deviation .5."""
    outcomes = {
        "pass": {w: Outcome(0.0, 1.0) for w in range(4)},
        "take": {0: Outcome(0.5, 3.0), 2: Outcome(0.0, 1.0), 3: Outcome(1.0, 1.0)},
    }
    gain = compare(outcomes, "pass", "take", "beats")
    assert (gain.mean, gain.worlds) == (0.5, 3)
    assert gain.error == pytest.approx(0.5 / sqrt(3))
    assert compare(outcomes, "pass", "take", "score").mean == pytest.approx(2 / 3)
    assert compare(outcomes, "pass", "keep", "beats").worlds == 0


def test_what_no_mark_has_cost_is_what_the_worlds_exclude_by_three_errors() -> None:
    """By hand: of 4 gains .5, 0, .5, 0 the mean is .25, the error 1/6 x sqrt(3); of 50 that are 0
    an error counts as 1/50.
    """

    def outcomes(beats: list[float]) -> dict[int, Outcome]:
        return {world: Outcome(each, 0.0) for world, each in enumerate(beats)}

    decision: Any = SimpleNamespace(actual="pass", legal=("pass", "take", "keep"))
    none = outcomes([0.0] * 50)
    look = _Look(decision, {"pass": none, "take": outcomes([0.5, 0.0] * 2), "keep": none})
    assert look.hidden_loss() == pytest.approx(0.25 + 3 * max(sqrt(3) / 12, 1 / 4))
    look.fresh, look.seen["keep"] = {"pass": none, "take": none}, {}
    assert look.hidden_loss() == pytest.approx(3 / 50)


def test_habits_are_what_the_winner_chose_more_often_where_each_could(store: Store) -> None:
    """Of eight choices seat 0 takes one, seat 1 six: 5/8 more, and an error of sqrt(.4375 * .5625 /
    4) = .25. Two that are less than that apart are alike.
    """
    first = find_decisions(open_game(store, next(store.games())), range(3))[0]

    def made(seat: int, takes: int) -> list[Decision]:
        chosen = ["take"] * takes + ["pass"] * (8 - takes)
        return [first._replace(seat=seat, actual=each) for each in chosen]

    found = find_habits(made(0, 1) + made(1, 6) + made(2, 8), 0, 1)
    assert found == [Habit(move_class="take", winner=(6, 8), seat=(1, 8))]
    assert find_habits(made(0, 4) + made(1, 5), 0, 1) == find_habits(made(0, 4), 0, 1) == []
    forced = [one._replace(legal=("take",)) for one in made(0, 8) + made(1, 8)]
    assert find_habits(made(0, 0) + forced, 0, 1) == []
