"""What a person may type in `arena play`, and what is said where it is not plain."""

import pytest

import games
from arena.cli.choices import Unclear, choose, list_choices

OFFER = {("pass",): "pass", ("take",): "take"}
WINDOW = {("pass",): "pass", ("17",): "17"}


def ways(game: str, *legal: str) -> dict[tuple[str, ...], str]:
    return {tuple(games.split_decision(games.load(game), each)): each for each in legal}


WILD = ways("sixteen", "B5", "B6", "G2", *games.load("sixteen").WILDS)  # type: ignore[attr-defined]
HAND = ways("diciassette", *(f"{card}:{face}" for card in ("N3", "n3", "rev") for face in "ud"))


@pytest.mark.parametrize(
    ("given", "typed", "decision"),
    [
        (OFFER, "t", "take"), (OFFER, "T", "take"), (OFFER, "take", "take"), (OFFER, "2", "take"),
        (WINDOW, "p", "pass"), (WINDOW, "17", "17"),
        (WINDOW, "1", "17"),  # its beginning, no place in the list
        (WILD, "g", "G2"), (WILD, "b6", "B6"), (WILD, "2", "B6"),
        (WILD, "w5g", "W=G5"), (WILD, "W 5 green", "W=G5"), (WILD, "4 0 r", "W=R0"),
        (HAND, "n3 d", "n3:d"), (HAND, "N3d", "N3:d"), (HAND, "N3:u", "N3:u"),
        (HAND, "r u", "rev:u"),
        (HAND, "2 down", "n3:d"),
        (WILD, "W=G5", "W=G5"), (WILD, "w=g5", "W=G5"),  # the decision itself
    ],
)  # fmt: skip
def test_a_unique_beginning_or_a_number_is_an_answer(
    given: dict[tuple[str, ...], str], typed: str, decision: str
) -> None:
    assert given[choose(typed, given, ())] == decision


def test_a_wild_is_chosen_in_steps_and_each_lists_what_is_left() -> None:
    assert list_choices(WILD, (), 80) == ["Choose: 1 B5  2 B6  3 G2  4 W  (in one go: W 0 b)"]
    chosen = choose("w", WILD, ())
    assert list_choices(WILD, chosen, 80) == ["W: 0  1  2  3  4  5  6  (Enter alone goes back)"]
    chosen = choose("5", WILD, chosen)
    (listed,) = list_choices(WILD, chosen, 80)
    assert listed == "W 5: 1 blue  2 green  3 orange  4 red  (Enter alone goes back)"
    assert WILD[choose("g", WILD, chosen)] == "W=G5"
    assert WILD[choose("w=b1", WILD, ("W",))] == "W=B1"  # a decision's own name
    one = ways("diciassette", "n3:u", "N3:u", "N3:d")  # one continuation is not asked for
    assert choose("n3", one, ()) == ("n3", "up")


@pytest.mark.parametrize(
    ("given", "typed", "said"),
    [
        (WILD, "b", "'b' could be B5 or B6; type more letters"),
        (WILD, "w=g", "'w=g' could be W=G0, W=G1, W=G2, W=G3, W=G4, W=G5 or W=G6; type more"),
        (OFFER, "x", "'x' is not a choice here; type pass or take or a number up to 2"),
        (OFFER, "3", "'3' is not a choice here"),
        (OFFER, "0", "'0' is not a choice here"),
        (WINDOW, "2", "'2' is not a choice here; type pass or 17; ? shows the rules"),
        (OFFER, "take it", "nothing can follow 'take': remove 'it'"),
        (OFFER, "\x1b[A", r"'\x1b[A' is not a choice here"),
        (HAND, "n3 x", "'x' is not a choice here; type up or down"),
    ],
)
def test_what_is_ambiguous_or_nothing_is_said_with_the_candidates(
    given: dict[tuple[str, ...], str], typed: str, said: str
) -> None:
    with pytest.raises(Unclear) as refused:
        choose(typed, given, ())
    assert str(refused.value).startswith(said)
