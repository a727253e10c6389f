"""The house bots: always legal, repeatable, and the champion ahead in every pool."""

import re
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest

from tests.house_bots import FIELD, PATHS, module, play
from tests.places import ROOT

POOLS = (
    *(("diciassette", players) for players in (2, 3, 4, 5, 6)),
    *(("no_thanks", players) for players in (3, 4, 5)),
    *(("sixteen", players) for players in (2, 4)),
)
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "diciassette": (
        {"specials": {"rev": 0, "x2": 9, "trash": 9, "trap": 2}, "x2_stack": True},
        {"mid_x2_call": True, "x2_draw": "each", "exhaust": "void"},
    ),
    "no_thanks": ({"chips": 2, "open_chips": True}, {"chips": 0}, {"extended": True}),
    "sixteen": (
        {"draw_rule": "strict", "match": False},
        {"draw_rule": "loose", "bonus": True, "bonus_triple": True, "bust_vs_match": "match"},
        {"wilds": False},
    ),
}
SEED = 1


def line_ups(pool: tuple[str, int], count: int, seed: int, *always: str) -> Iterator[list[str]]:
    """Yield random line-ups by seat, these bots in each; of Sixteen for four a bot is a team."""
    rng = Random(f"{pool} {seed}")
    sides = 2 if pool[0] == "sixteen" else pool[1]
    others = [name for name in FIELD if name not in always]
    for _ in range(count):
        names = [*always, *rng.sample(others, sides - len(always))]
        rng.shuffle(names)
        yield names * (pool[1] // sides)


@pytest.mark.parametrize("name", PATHS)
def test_a_bot_says_in_one_sentence_what_it_does_and_the_readme_says_it_too(name: str) -> None:
    text = module(name).__doc__ or ""
    assert re.fullmatch(r"(?!.*\. ).*\.", text)
    readme = (ROOT / "bots" / "README.md").read_text()
    assert f"| `{name}` | {text.removesuffix('.')} |" in readme


@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_bots_are_legal_and_print_nothing_and_none_wins_more_often_than_the_champion(
    pool: tuple[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    shares: dict[str, list[float]] = defaultdict(list)  # of wins, shared ones in parts
    for number, names in enumerate(line_ups(pool, 150, SEED, "champion")):
        ranks = play(pool, names, SEED + number).result.ranks
        winners = {name for name, rank in zip(names, ranks, strict=True) if rank == 1}
        for name in {*names}:
            shares[name].append((name in winners) / len(winners))
    means = {name: fmean(won) for name, won in shares.items()}
    assert max(means.values()) == means["champion"], f"seed {SEED}: {means}"
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("pool", [*POOLS, ("no_thanks", 6), ("no_thanks", 7)], ids=str)
def test_bots_are_legal_and_decide_the_same_way_twice_under_all_options(
    pool: tuple[str, int],
) -> None:
    """With those outside the field; `searcher` is slow, in Sixteen so slow that it plays below."""
    searched = pool in (("diciassette", 6), ("no_thanks", 5))
    drawn = [*line_ups(pool, 3, SEED), *line_ups(pool, 1, SEED, "learned")]
    drawn += line_ups(pool, 1, SEED, "searcher") if searched else ()
    for options in ({}, *OPTIONS[pool[0]]) if pool in POOLS else ({"extended": True},):
        for number, names in enumerate(drawn):
            played = play(pool, names, SEED + number, **options)
            assert play(pool, names, SEED + number, **options) == played, f"seed {SEED}"


@pytest.mark.parametrize(
    ("name", "pool", "deals", "least"),
    [
        ("learned", ("no_thanks", 3), 40, 0.55),  # .71 of many
        *(
            pytest.param("searcher", pool, 60, 0.5, marks=pytest.mark.long)  # .56 and more, of many
            for pool in (("diciassette", 2), ("no_thanks", 3), ("sixteen", 2))
        ),
    ],
    ids=str,
)
def test_the_learned_network_and_the_searcher_are_ahead_of_champions(
    name: str, pool: tuple[str, int], deals: int, least: float
) -> None:
    """Once in each seat of each deal."""
    ahead = 0.0
    for deal in range(deals):
        for seat in range(pool[1]):
            names = ["champion"] * pool[1]
            names[seat] = name
            ranks = [*play(pool, names, SEED + deal).result.ranks]
            own = ranks.pop(seat)
            ahead += sum((own < rank) + (own == rank) / 2 for rank in ranks)
    assert ahead / (deals * pool[1] * (pool[1] - 1)) > least, f"seed {SEED}"


def test_a_new_game_gets_its_first_legal_decision() -> None:
    view: Any = SimpleNamespace(game="nim", legal=("1", "2"))
    assert module("searcher").decide(view) == "1"
    assert module("learned").decide_many([view], [Random(SEED)]) == ["1"]
