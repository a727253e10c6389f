"""The rules of `arena explain`: what is read, what is refused, what a decision becomes, by the rule
and by its lines of Python.
"""

from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from typing import Any, NamedTuple

import pytest

import games
from arena.errors import UsageError
from arena.insight.positions import find_decisions
from arena.insight.rule_code import write_rule
from arena.insight.rules import (
    OPERATORS,
    Condition,
    Field,
    Rule,
    Words,
    apply_rule,
    holds,
    parse_rule,
    read_field,
    replacement,
)
from arena.insight.search import classes, fields_of
from games import diciassette, no_thanks, sixteen
from tests.games.cases import Case
from tests.insight.played import random_game

NO_THANKS = Words(
    "No Thanks!",
    frozenset({"pass", "take"}),
    frozenset(),
    frozenset({"card", "pot", "chips", "taken", "cards_left", "pot_share", "players"}),
)


def view_of(card: int = 12) -> Any:
    """The middle of three seats, by its cards 14, 15; the others have 3, and 27, 28, 35."""
    taken = ((3,), (14, 15), (27, 28, 35))
    return no_thanks.View(0, 3, 1, "play", (), card, 3, 4, taken, 9, None)


def findings(text: str, words: Words = NO_THANKS) -> list[str]:
    with pytest.raises(UsageError) as error:
        parse_rule(text, words)
    return list(error.value.args)


def test_a_rule_is_read_as_it_is_written() -> None:
    text = "pass -> take when pot_share >= 33 and len(taken[own]) <= 7"
    least = Condition(Field("pot_share"), ">=", 33)
    most = Condition(Field("taken", ("own",), "len"), "<=", 7)
    assert parse_rule(text, NO_THANKS) == (rule := Rule("pass", "take", (least, most)))
    assert str(rule) == text
    assert parse_rule("pass->take when card<=-1.50", NO_THANKS).when[0].number == -1.5
    assert str(parse_rule("*->pass", NO_THANKS)) == "* -> pass"


def test_all_that_is_wrong_is_said_at_once_each_with_its_column() -> None:
    one, two = findings("pas -> take when pots > 3")
    assert one == (
        "--rule: column 1: 'pas' matches no decision of No Thanks!; the nearest are pass, take"
    )
    assert two.startswith("--rule: column 18: 'pots': no such field; the nearest are pot, ")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("pass -> pass", 9),
        ("pass -> take if pot > 3", 1),
        ("pass -> take when", 18),
        ("pass -> take when pot > 1e5", 19),
        ("pass -> take when pot = 3", 19),
        ("pass -> take when pot > 1 and taken[-1] > 3", 31),
        ("pass -> take when len(taken > 3", 19),
        ("pass -> take when card.__class__ > 3", 19),
        ("pass -> take when len(seat) > 0", 23),
        ("p*a*s*s* -> take", 1),
    ],
)
def test_what_is_wrong_has_the_column_where_it_stands(text: str, column: int) -> None:
    assert [line.split(":")[1] for line in findings(text)] == [f" column {column}"]


def random_rule(rng: Random, words: Words) -> Rule:
    def field() -> Field:
        some: list[int | str] = ["own", rng.randrange(9)]
        places = tuple(rng.choice(some) for _ in range(rng.randrange(3)))
        measure = rng.choice(["", "", "len", "sum", "least", "most"])
        return Field(rng.choice(sorted(words.names)), places, measure)

    def number() -> float:
        return float(rng.choice([str(rng.randrange(-999, 10**9)), f"{rng.random():.6f}"]))

    chosen, better = rng.sample(["pass", "take", "*", "p*", "*a*"], 2)
    count = rng.randrange(5)
    conditions = [Condition(field(), rng.choice([*OPERATORS]), number()) for _ in range(count)]
    return Rule(chosen, better, tuple(conditions))


def test_no_text_is_more_than_a_usage_error_and_a_rule_reads_back_as_itself(seed: int) -> None:
    rng = Random(seed)
    pieces = [
        "pass", "take", "->", "when", "and", "pot", "len", "(", ")", "[", "]", "own", "taken", "3",
        "-1", ">=", "<", "==", "!=", "*", " ", "\n", "\0", "é", "١", "__class__", ".", "1e9", "²",
        "\u202e", "lambda", "{}", "\\", "'",
    ]  # fmt: skip
    read = 0
    for number in range(5000):
        text = "".join(rng.choice(pieces) + " " * rng.randrange(2) for _ in range(rng.randrange(9)))
        if rng.random() < 0.8:
            good = str(random_rule(rng, NO_THANKS))
            cut = rng.randrange(len(good))
            text = good[:cut] + text[: rng.randrange(4)] + good[cut + rng.randrange(3) :]
        try:
            rule = parse_rule(text, NO_THANKS)
        except UsageError:
            continue
        except Exception as error:
            raise AssertionError((number, text)) from error
        read += 1
        assert parse_rule(str(rule), NO_THANKS) == rule
        holds(rule.when, no_thanks, view_of())
    assert read > 250


class Guarded(NamedTuple):
    pot: int

    @property
    def legal(self) -> tuple[str, ...]:
        raise AssertionError("read")


@pytest.mark.parametrize("name", ["legal", "_fields", "__class__", "__doc__", "count", "_asdict"])
def test_nothing_of_a_view_is_read_but_its_fields(name: str) -> None:
    for measure in ("", "len"):
        assert read_field(Field(name, (), measure), Guarded(3), {}) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("card", 13),
        ("len(taken)", 3),
        ("sum(taken[own])", 29),
        ("taken[2][2]", 35),
        ("taken[2][3]", None),
        ("taken[7]", None),
        ("taken", None),
        ("least(taken)", None),  # of tuples
        ("most(taken[2])", 35),  # three cards, which are not one by seat
        ("all_chips", None),
        ("sum(card)", None),
        ("cost", -1),  # with the 14 and 15 the run costs 13, no more 14
    ],
)
def test_a_field_is_read_where_there_is_a_number(text: str, value: float | None) -> None:
    view, words = view_of(13), NO_THANKS._replace(names=NO_THANKS.names | {"cost", "all_chips"})
    field = parse_rule(f"pass -> take when {text} > 0", words).when[0].field
    assert str(field) == text
    assert read_field(field, view, games.features(no_thanks, view)) == value


def test_what_is_missing_makes_a_condition_false_either_way() -> None:
    for sign in ("<", ">=", "!="):
        condition = Condition(Field("all_chips", (0,)), sign, 3)
        assert not holds((condition,), no_thanks, view_of())


HAND = ("N2", "N5", "n4", "rev", "trap")
PLAYS = tuple(f"{card}:{face}" for card in HAND for face in "ud")


@pytest.mark.parametrize(
    ("chosen", "better", "decision", "becomes"),
    [
        ("N2:u", "N5:d", "N2:u", "N5:d"),
        ("N2:u", "x2:d", "N2:u", ""),  # not in the hand
        ("*:u", "*:d", "rev:u", "rev:d"),  # the same card
        ("*:u", "*:d", "rev:d", None),
        ("N*:u", "n*:u", "N5:u", "n4:u"),  # no n5: the first n that there is
        ("*", "trap:*", "trap:u", None),  # fits already
        ("*:u", "high:d", "rev:u", "N5:d"),
        ("high:u", "low", "n4:u", "N2:u"),
        ("high", "*:d", "N5:d", None),
    ],
)
def test_what_a_decision_becomes(
    chosen: str, better: str, decision: str, becomes: str | None
) -> None:
    kinds = partial(diciassette.move_classes, None)
    assert replacement(chosen, better, decision, PLAYS, kinds) == becomes


def test_a_rule_hides_no_fault_and_gives_legal_decisions_alone() -> None:
    rule, legal = parse_rule("* -> take", NO_THANKS), ("pass", "take")
    assert apply_rule(rule, no_thanks, view_of(), "pass", legal) == ("take", False)
    assert apply_rule(rule, no_thanks, view_of(), "nonsense", legal) == ("nonsense", False)
    assert apply_rule(rule, no_thanks, view_of(), "pass", ("pass",)) == ("pass", True)
    when = parse_rule("pass -> take when card > 12", NO_THANKS)
    assert apply_rule(when, no_thanks, view_of(), "pass", legal) == ("pass", False)
    assert apply_rule(when, no_thanks, view_of(13), "pass", legal) == ("take", False)


KINDS = {
    "decide": "def decide(view):\n    return MADE[view]\n",
    "Bot": "class Bot:\n    def decide(self, view):\n        return MADE[view]\n",
    "decide_many": "def decide_many(views, rngs):\n    return [MADE[view] for view in views]\n",
}


def load(text: str, made: dict[Any, str]) -> Callable[[Any], str]:
    space: dict[str, Any] = {"MADE": made}
    exec(text, space)
    if "Bot" in space:
        return space["Bot"]().decide  # type: ignore[no-any-return]
    if "decide" in space:
        return space["decide"]  # type: ignore[no-any-return]
    return lambda view: space["decide_many"]([view], [None])[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "case", [Case("no_thanks", {}, 3), Case("sixteen", {}, 4), Case("diciassette", {}, 3)], ids=str
)
def test_the_lines_decide_as_the_rule_does(case: Any, kind: str, seed: int) -> None:
    """Random rules of the game's words on random decisions, two rules one after the other. One of
    a hundred games of Sixteen leaves no seat a choice.
    """
    rng, kinds, words = Random(seed), set[str](), set[str]()
    games_of = (random_game(case, at) for at in count(seed))
    seen = next(filter(None, (find_decisions(game, range(case.seats)) for game in games_of)))
    views = {one.view: rng.choice(one.legal) for one in seen}
    for view, chosen in views.items():
        of_legal = {each: games.move_classes(case.game, view, each) for each in view.legal}
        kinds.update(*of_legal.values())
        words.update(classes(chosen, of_legal[chosen]))
        words.update(*(classes(each, ()) for each in view.legal[:2]))
    for _ in range(20):
        rules = [rule_of(case.game, rng, [*views], sorted(words)) for _ in "ab"]
        text = KINDS[kind]
        for rule in rules:
            text += "\n\n\n" + write_rule(rule, case.game, kinds, text)
        decide = load(text, views)
        for view, made in views.items():
            expected = made
            for rule in rules:
                expected = apply_rule(rule, case.game, view, expected, view.legal)[0]
            assert decide(view) == expected, (*map(str, rules), view)


def rule_of(game: Any, rng: Random, views: list[Any], words: list[str]) -> Rule:
    view = rng.choice(views)
    known = games.features(game, view)
    read = [field for field in fields_of(game, view) if read_field(field, view, known) is not None]
    fields = rng.sample(read, rng.randrange(3))
    when = [Condition(f, rng.choice([*OPERATORS]), float(rng.randrange(-1, 9))) for f in fields]
    return Rule(rng.choice(words), rng.choice(words), tuple(when))


def test_lines_go_with_names_that_the_bot_has_and_a_file_that_defines_no_bot_has_none() -> None:
    def written(text: str) -> str:
        return write_rule(Rule("*", "wins"), sixteen, {"wins"}, text)

    bot, head = KINDS["decide"], "from games import sixteen\n"
    assert written("from mine import *\n") == ""
    fixed = "class Bot:\n    @staticmethod\n    def decide(view):\n        ...\n"
    assert written(fixed) == ""
    assert "decide=decide" in written("from mine import decide\n")
    assert "def advised2(" in written(f"advised = 5\n{bot}")
    assert written(bot).startswith(f"{head}\n\ndef advised(view, decision):  # * -> wins\n")
    assert written(f"{head}\n\n{bot}").startswith(head), "it is the same module"
    own = written(f"def sixteen(view):\n    ...\n{bot}")
    assert own.startswith("from games import sixteen as sixteen_game\n")
