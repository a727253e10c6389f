"""Games in this process: repeatable, judged by the rules, and fair to both bots of a duel."""

import random
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from arena.errors import UsageError
from arena.records.record import judge_record
from arena.testing import Duel, NoDecision, duel, play
from tests.author.made import POOLS, first, last
from tests.places import ROOT

DECKS = 4
pytestmark = pytest.mark.usefixtures("kept_zygote")


def chance(view: Any) -> str:
    return str(random.choice(view.legal))


class Told:
    results: list[Any] = []

    def __init__(self, game: Any) -> None:
        self.seat, self.rng = game.seat, game.rng

    def decide(self, view: Any) -> str:
        return str(self.rng.choice(view.legal))

    def end(self, result: Any) -> None:
        self.results.append((self.seat, result.ranks))


def test_names_functions_classes_and_objects_play_alike() -> None:
    def decide_many(views: Sequence[Any], rngs: Sequence[Random]) -> list[str]:
        return [rng.choice(view.legal) for view, rng in zip(views, rngs, strict=True)]

    options = {"chips": 2, "open_chips": True}
    random.seed(5)
    expected = play("no_thanks", ["random_choice"] * 3, seed=9, options=options)
    assert expected.record["options"] == options
    for given in (chance, decide_many, Told, type("Own", (), {"decide": lambda _, v: chance(v)})()):
        record = play("no_thanks", [given] * 3, seed=9, options=options).record
        assert record["actions"] == expected.record["actions"], given
    assert Told.results == [(seat, expected.result.ranks) for seat in range(3)]
    assert random.random() == Random(5).random(), "the caller's numbers are left alone"


@pytest.mark.parametrize(("game", "players"), POOLS)
def test_the_same_numbers_give_the_same_record_which_is_right(game: str, players: int) -> None:
    line_up = [("random_choice", "champion")[seat % 2] for seat in range(players)]
    seen = set()
    for deck in range(DECKS):
        played = play(game, line_up, seed=5, deck=deck)
        assert play(game, line_up, seed=5, deck=deck) == played
        judge_record(played.record)
        assert played.record["result"] == played.result
        other = play(game, line_up, seed=6, deck=deck)
        for record in (played.record, other.record):
            seen |= {str(record["setup"]), record["meta"]["id"]}
    assert len(seen) == 4 * DECKS


def test_other_dice_leave_the_deal() -> None:
    ours, other = (play("sixteen", [chance, chance], seed=1, dice=dice) for dice in (1, 2))
    assert ours.record["setup"] == other.record["setup"]
    assert ours.record["meta"]["id"] != other.record["meta"]["id"]
    assert ours.record["actions"] != other.record["actions"]
    assert ours.record["actions"] == play("sixteen", [chance, chance], seed=1).record["actions"]


@pytest.mark.parametrize(("game", "players"), POOLS)
def test_swapped_bots_have_opposite_payoffs_and_equals_none(game: str, players: int) -> None:
    ours, other, same = (
        duel(one, two, game, decks=DECKS, seed=3, players=players)
        for one, two in (("champion", chance), (chance, "champion"), ("champion", "champion"))
    )
    assert [*ours.payoffs] == [*-other.payoffs]
    assert ours.mean > 0
    assert not same.payoffs.any()


def test_a_payoff_is_the_share_left_behind() -> None:
    for seed in range(4):
        total = 0.0
        for line_up in ([chance, last, first], [last, chance, first]):  # the first seating
            ranks = play("no_thanks", line_up, seed=seed).result.ranks
            for each, sign in ((chance, 1), (last, -1)):
                own = ranks[line_up.index(each)]
                behind, ahead = sum(r > own for r in ranks), sum(r < own for r in ranks)
                total += sign * (2 + behind - ahead) / 4  # ties half
        made = duel(chance, last, "no_thanks", decks=2, seed=seed, others=[first])
        assert made.payoffs[0] == total / 2, f"seed {seed}"


def test_mean_and_error_are_those_of_the_payoffs() -> None:
    import numpy as np

    new, old = (
        Duel(0, 0, np.array(each), (0, 0), "4 decks, seed 1")
        for each in ([1, 0, 0, 0], [0, 0, -0.5, 0.5])
    )
    made = new - old
    assert [*made.payoffs] == [1, 0, 0.5, -0.5]
    assert made.mean == 0.25
    assert made.error == pytest.approx((5 / 12 / 4) ** 0.5)  # squares about the mean: 1.25 / 3


def test_only_duels_on_the_same_decks_subtract() -> None:
    one = duel("haggler", first, "no_thanks", decks=2, seed=1)
    options = {"open_chips": True}
    for more in ({"seed": 2}, {"players": 4}, {"options": options}, {"decks": 3}):
        given: dict[str, Any] = {"decks": 2, "seed": 1, **more}
        with pytest.raises(UsageError, match=r"found 2 decks of No Thanks! 3p, seed 1 less .*same"):
            one - duel("haggler", first, "no_thanks", **given)


def test_further_seats_do_not_depend_on_the_two() -> None:
    taken = set[tuple[int, str, int]]()

    def decide(self: Any, view: Any) -> str:
        taken.add((view.table, type(self).__name__, view.seat))
        return chance(view)

    others = [type(name, (), {"decide": decide})() for name in ("ann", "bob", "cid", "dan")]

    def sat_down(a: Any, b: Any) -> set[tuple[int, str, int]]:
        taken.clear()
        duel(a, b, "no_thanks", decks=8, seed=2, players=5, others=others)
        return {*taken}

    expected = sat_down(chance, "haggler")
    assert len(expected) == 2 * 8 * 3
    assert len({entry[1:] for entry in expected}) > 12
    assert sat_down("champion", chance) == expected


def fails(view: Any) -> str:
    raise ZeroDivisionError("at the first question")


def test_an_exception_reaches_the_caller_with_its_place() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        play("no_thanks", [first, fails, first], seed=3, deck=7)
    (note,) = raised.value.__notes__
    assert re.fullmatch(r"fails in seat 1 of No Thanks! 3p: seed 3, deck 7, action \d+", note)
    with pytest.raises(NoDecision, match="it answered 'takes', which is not legal") as wrong:
        duel(first, lambda _: "takes", "sixteen", decks=2)
    assert "legal: " in str(wrong.value)
    assert wrong.value.__notes__[0].startswith("lambda in seat ")


@pytest.mark.parametrize(
    ("kind", "answer"), [("illegal", "takes"), ("illegal", None), ("error", KeyError()),
                         ("memory", MemoryError())]
)  # fmt: skip
def test_a_fault_can_be_a_forfeit(kind: str, answer: Any) -> None:
    def wrong(view: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    record = play("no_thanks", [first, wrong, first], seed=3, faults="forfeit").record
    judge_record(record)
    assert record["result"]["forfeits"] == [1]
    ((seat, found, action),) = record["meta"]["faults"]
    assert (seat, found, record["actions"][action]) == (1, kind, [1, "forfeit"])
    made = duel(wrong, first, "sixteen", decks=5, faults="forfeit")
    assert (made.forfeits, [*made.payoffs]) == ((10, 0), [-1.0] * 5)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: play("sixteen", [first, "adder"], confined=True), "with confined=True, give a"),
        (lambda: play("sixten", [first] * 2), "play: found 'sixten', did you mean 'sixteen'?"),
        (lambda: play("sixteen", "adder"), "play: bots: found 'adder'; expected a list, a bot"),
        (lambda: play("sixteen", [first] * 3), "play: players: found 3; sixteen takes 2 or 4"),
        (lambda: play("sixteen", ["addr", first]), "no bot of that name in .*did you mean adder?"),
        (lambda: duel(first, last, "sixteen", decks=1), "duel: decks: found 1; expected 2 or more"),
        (lambda: duel(first, last, "no_thanks", players=5, others=[first]), "others: found 1; No"),
    ],
)
def test_an_error_names_place_finding_and_remedy(call: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("?", r"\?")):
        call()


def test_the_page_s_example_runs() -> None:
    text = (ROOT / "bots" / "README.md").read_text()
    (example,) = re.findall(r"```python\n(from arena\.testing import duel.*?)```", text, re.DOTALL)
    space: dict[str, Any] = {}
    exec(compile(example, "bots/README.md", "exec"), space)
    assert space["gain"].mean > 3 * space["gain"].error
