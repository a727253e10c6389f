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


def test_nothing_given_is_the_default() -> None:
    assert parse_options(Options, {}) == Options()


def test_values_are_taken_over_a_group_of_options_too() -> None:
    given = {"switch": True, "maybe": 3, "word": "second", "floor": 0, "group": {"right": 5}}
    built = parse_options(Options, given)
    assert built == Options(True, 7, 3, "second", 0, Inner(1, 5))


def test_an_unknown_name_is_an_error_with_the_nearest_right_word() -> None:
    assert problems(swich=True) == [("swich", "no such option; did you mean switch?")]
    assert "expected switch, number" in problems(zzz=1)[0][1]


def test_of_a_game_without_options_there_is_none_to_give() -> None:
    with pytest.raises(OptionsError, match="any: no such option; the game has no options"):
        parse_options(dataclass(frozen=True)(type("Options", (), {})), {"any": 1})


def test_a_wrong_word_is_an_error_with_the_nearest_right_one() -> None:
    assert problems(word="secnd") == [("word", "found 'secnd'; did you mean 'second'?")]
    assert problems(word=3) == [("word", "found 3; expected first or second")]


@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_one_is_no_switch(value: object) -> None:
    assert problems(switch=value) == [("switch", f"found {value!r}; expected true or false")]


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_true_is_no_number(value: object) -> None:
    assert problems(number=value) == [("number", f"found {value!r}; expected a whole number")]
    assert problems(floor=True)[0][0] == "floor"


def test_a_number_that_may_be_left_open_takes_no_switch() -> None:
    assert problems(maybe=False) == [("maybe", "found False; expected a whole number")]
    assert parse_options(Options, {"maybe": None}) == Options()


def test_a_group_is_a_table_and_its_errors_name_both() -> None:
    assert problems(group=3) == [("group", "found 3; expected a table")]
    assert problems(group={"lft": 1}) == [("group.lft", "no such option; did you mean left?")]


def test_all_errors_come_at_once() -> None:
    found = problems(swich=True, number="7", group={"left": True, "up": 1})
    assert [name for name, _ in found] == ["swich", "number", "group.left", "group.up"]


def test_what_the_game_itself_refuses_is_an_error_of_the_same_kind() -> None:
    assert problems(number=11) == [("number", "found 11; expected up to 10")]


def test_changed_gives_what_differs_from_the_default_as_a_record_has_it() -> None:
    assert changed_options(Options()) == {}
    assert changed_options(Options(number=3, group=Inner(1, 5))) == {
        "number": 3,
        "group": {"left": 1, "right": 5},
    }


@pytest.mark.parametrize("case", cases(), ids=str)
def test_every_games_options_come_back_from_a_record(case: Any) -> None:
    assert changed_options(case.options) == case.given
    assert parse_options(case.game.Options, changed_options(case.options)) == case.options
    assert hash(case.options) == hash(parse_options(case.game.Options, case.given))


@pytest.mark.parametrize("name", games.names())
def test_every_games_options_are_frozen(name: str) -> None:
    options = games.load(name).Options()
    for option in vars(options) or ["any"]:
        with pytest.raises(FrozenInstanceError):
            setattr(options, option, None)


def test_a_game_that_is_none_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="chess"):
        games.load("chess")


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
