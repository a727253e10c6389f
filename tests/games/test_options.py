"""Rule options, as a config or a record gives them: built, refused, and given back."""

from dataclasses import FrozenInstanceError, dataclass
from typing import Any, Literal

import pytest

import games
from games import OptionsError, changed_options, parse_options
from tests.games.cases import cases


@dataclass(frozen=True)
class Inner:
    """A group of options."""

    left: int = 1
    right: int = 2


@dataclass(frozen=True)
class Options:
    """One option of each kind."""

    switch: bool = False
    number: int = 7
    maybe: int | None = None
    word: Literal["first", "second"] = "first"
    floor: Literal[1, 0] = 1
    group: Inner = Inner()

    def __post_init__(self) -> None:
        if self.number > 10:
            raise OptionsError([("number", f"found {self.number}; expected up to 10")])


def problems(**given: Any) -> list[tuple[str, str]]:
    with pytest.raises(OptionsError) as caught:
        parse_options(Options, given)
    return list(caught.value.problems)


def test_values_are_taken_over_a_group_of_options_too() -> None:
    given = {"switch": True, "maybe": 3, "word": "second", "floor": 0, "group": {"right": 5}}
    assert parse_options(Options, given) == Options(True, 7, 3, "second", 0, Inner(1, 5))
    assert parse_options(Options, {"maybe": None}) == parse_options(Options, {}) == Options()


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("swich", True, "no such option; did you mean switch?"),
        ("word", "secnd", "found 'secnd'; did you mean 'second'?"),
        ("word", 3, "found 3; expected first or second"),
        ("switch", 1, "found 1; expected true or false"),
        ("switch", "true", "found 'true'; expected true or false"),
        ("switch", None, "found None; expected true or false"),
        ("number", True, "found True; expected a whole number"),
        ("number", 1.0, "found 1.0; expected a whole number"),
        ("number", "1", "found '1'; expected a whole number"),
        ("number", None, "found None; expected a whole number"),
        ("number", 11, "found 11; expected up to 10"),  # which the game itself refuses
        ("floor", True, "found True; expected 1 or 0"),
        ("maybe", False, "found False; expected a whole number"),
        ("group", 3, "found 3; expected a table"),
    ],
)
def test_what_is_wrong_is_said_with_the_nearest_right_word(
    option: str, value: object, why: str
) -> None:
    assert problems(**{option: value}) == [(option, why)]


def test_all_errors_come_at_once() -> None:
    found = problems(swich=True, number="7", group={"left": True, "up": 1})
    assert [name for name, _ in found] == ["swich", "number", "group.left", "group.up"]


def test_changed_gives_what_differs_from_the_default_as_a_record_has_it() -> None:
    assert changed_options(Options()) == {}
    assert changed_options(Options(number=3, group=Inner(1, 5))) == {
        "number": 3,
        "group": {"left": 1, "right": 5},
    }


@pytest.mark.parametrize("case", cases(), ids=str)
def test_every_games_options_are_frozen_and_come_back_from_a_record(case: Any) -> None:
    assert changed_options(case.options) == case.given
    assert parse_options(case.game.Options, changed_options(case.options)) == case.options
    assert hash(case.options) == hash(parse_options(case.game.Options, case.given))
    with pytest.raises(FrozenInstanceError):
        setattr(case.options, next(iter(vars(case.options)), "any"), None)


def test_views_bound_to_other_options_are_other_types_and_to_equal_ones_the_same() -> None:
    view = games.load("sixteen").View
    first, second = ({"bonus": True}, {"bonus": False})
    options = [parse_options(games.load("sixteen").Options, o) for o in (first, second, first)]
    bound = [games.bind_options(view, o) for o in options]
    assert bound[0] is bound[2]
    assert bound[0] is not bound[1]
    assert [b.options.bonus for b in bound] == [True, False, True]


def test_of_many_wrong_options_some_are_told() -> None:
    """A record may have 100,000: each would be compared with all that there are."""
    with pytest.raises(OptionsError) as caught:
        parse_options(Options, dict.fromkeys(map(str, range(100_000))))
    assert len(caught.value.problems) == 20
