"""A rule's lines of Python decide as the rule does, in each kind of bot."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.insight.positions import find_decisions
from arena.insight.rule_code import write_rule
from arena.insight.rules import OPERATORS, Condition, Rule, apply_rule, read_field
from arena.insight.search import classes, fields_of
from games import features, sixteen
from games import move_classes as kinds_of
from tests.games.cases import Case
from tests.insight.played import random_game

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
    """Random rules of the game's words on random decisions, two rules one after the other."""
    rng = Random(seed)
    recorded = random_game(case, seed)
    seen = find_decisions(recorded, range(case.seats))
    views = {one.view: rng.choice(one.legal) for one in seen}
    kinds = {
        own for view in views for each in view.legal for own in kinds_of(case.game, view, each)
    }
    words = {
        own
        for view, each in views.items()
        for own in classes(each, kinds_of(case.game, view, each))
    }
    words |= {other for view in views for each in view.legal[:2] for other in classes(each, ())}
    for _ in range(20):
        rules = [random_rule(case.game, rng, [*views], sorted(words)) for _ in "ab"]
        text = KINDS[kind]
        for rule in rules:
            text += "\n\n\n" + write_rule(rule, case.game, kinds, text)
        decide = load(text, views)
        for view, made in views.items():
            expected = made
            for rule in rules:
                expected = apply_rule(rule, case.game, view, expected, view.legal)[0]
            assert decide(view) == expected, (*map(str, rules), view)


def random_rule(game: Any, rng: Random, views: list[Any], words: list[str]) -> Rule:
    view = rng.choice(views)
    known = features(game, view)
    read = [field for field in fields_of(game, view) if read_field(field, view, known) is not None]
    fields = rng.sample(read, rng.randrange(3))
    when = [Condition(f, rng.choice([*OPERATORS]), float(rng.randrange(-1, 9))) for f in fields]
    return Rule(rng.choice(words), rng.choice(words), tuple(when))


def test_lines_go_with_names_that_the_bot_has_and_a_file_that_defines_no_bot_has_none() -> None:
    rule, bot = Rule("*", "wins"), KINDS["decide"]
    assert write_rule(rule, sixteen, {"wins"}, "from mine import *\n") == ""
    fixed = "class Bot:\n    @staticmethod\n    def decide(view):\n        ...\n"
    assert write_rule(rule, sixteen, {"wins"}, fixed) == ""
    assert "decide=decide" in write_rule(rule, sixteen, {"wins"}, "from mine import decide\n")
    assert "def advised2(" in write_rule(rule, sixteen, {"wins"}, f"advised = 5\n{bot}")
    text = write_rule(rule, sixteen, {"wins"}, bot)
    assert text.startswith(
        "from games import sixteen\n\n\ndef advised(view, decision):  # * -> wins\n"
    )
    knows = write_rule(rule, sixteen, {"wins"}, f"from games import sixteen\n\n\n{bot}")
    assert knows.startswith("from games import sixteen\n"), "it is the same module"
    own = write_rule(rule, sixteen, {"wins"}, f"def sixteen(view):\n    ...\n{bot}")
    assert own.startswith("from games import sixteen as sixteen_game\n")
