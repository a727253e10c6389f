"""The house bots: always legal, repeatable, and the champion ahead in every pool.

`standings` is also how the bots were measured while they were written.
"""

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena.sandbox.harness import kind_of
from games import no_thanks
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
    "no_thanks": ({"chips": 2, "open_chips": True}, {"chips": 0}),
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


def standings(pool: tuple[str, int], count: int, seed: int, *always: str) -> dict[str, float]:
    """Return each bot's share of wins, shared ones in parts, in random line-ups, the best first."""
    won: dict[str, float] = defaultdict(float)
    entered: dict[str, int] = defaultdict(int)
    for number, names in enumerate(line_ups(pool, count, seed, *always)):
        ranks = play(pool, names, seed + number).result.ranks
        winners = {name for name, rank in zip(names, ranks, strict=True) if rank == 1}
        for name in set(names):
            entered[name] += 1
            won[name] += (name in winners) / len(winners)
    shares = {name: won[name] / entered[name] for name in entered}
    return dict(sorted(shares.items(), key=lambda entry: -entry[1]))


@pytest.mark.parametrize("name", PATHS)
def test_a_bot_says_in_one_sentence_what_it_does_and_the_readme_says_it_too(name: str) -> None:
    text = module(name).__doc__ or ""
    assert text.endswith(".")
    assert ". " not in text
    assert "\n" not in text
    readme = (ROOT / "bots" / "README.md").read_text()
    assert f"| `{name}` | {text.removesuffix('.')} |" in readme


def test_there_are_bots_of_every_kind_and_a_folder() -> None:
    assert {kind_of(module(name)) for name in PATHS} == {"decide", "Bot", "decide_many"}
    assert any(path.is_dir() for path in PATHS.values())


@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_bots_are_legal_and_print_nothing_and_none_wins_more_often_than_the_champion(
    pool: tuple[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    table = standings(pool, 150, SEED, "champion")
    assert next(iter(table)) == "champion", f"seed {SEED}: {table}"
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_bots_are_legal_under_other_options(pool: tuple[str, int]) -> None:
    for options in OPTIONS[pool[0]]:
        for number, names in enumerate(line_ups(pool, 12, SEED)):
            play(pool, names, SEED + number, **options)


@pytest.mark.parametrize("pool", [("no_thanks", 6), ("no_thanks", 7)], ids=str)
def test_bots_are_legal_in_the_extended_game(pool: tuple[str, int]) -> None:
    for number, names in enumerate(line_ups(pool, 20, SEED)):
        play(pool, names, SEED + number, extended=True)


@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_bots_decide_the_same_way_twice(pool: tuple[str, int]) -> None:
    for number, names in enumerate(line_ups(pool, 10, SEED)):
        assert play(pool, names, SEED + number) == play(pool, names, SEED + number), f"seed {SEED}"


@pytest.mark.parametrize(
    ("name", "pool"),
    [
        *(("learned", pool) for pool in POOLS),
        *(("searcher", pool) for pool in (("diciassette", 6), ("no_thanks", 5), ("sixteen", 4))),
    ],
    ids=str,
)
def test_bots_outside_the_field_are_legal_and_repeat_themselves(
    name: str, pool: tuple[str, int]
) -> None:
    (names,) = line_ups(pool, 1, SEED, name)
    for options in OPTIONS[pool[0]]:
        played = play(pool, names, SEED, **options)
    assert play(pool, names, SEED, **options) == played, f"seed {SEED}"


def share_ahead(name: str, pool: tuple[str, int], deals: int) -> float:
    """Return the share of champions that a bot is ahead of, once in each seat of each deal."""
    ahead = 0.0
    for deal in range(deals):
        for seat in range(pool[1]):
            names = ["champion"] * pool[1]
            names[seat] = name
            ranks = [*play(pool, names, SEED + deal).result.ranks]
            own = ranks.pop(seat)
            ahead += sum((own < rank) + (own == rank) / 2 for rank in ranks)
    return ahead / (deals * pool[1] * (pool[1] - 1))


def test_the_learned_network_is_ahead_of_champions() -> None:
    assert share_ahead("learned", ("no_thanks", 3), 40) > 0.55, f"seed {SEED}"  # .71 of many


@pytest.mark.long
@pytest.mark.parametrize("pool", [("diciassette", 2), ("no_thanks", 3), ("sixteen", 2)], ids=str)
def test_the_searcher_is_ahead_of_champions(pool: tuple[str, int]) -> None:
    assert share_ahead("searcher", pool, 60) > 0.5, f"seed {SEED}"  # .56 and more, of many


def test_the_network_decides_in_whole_numbers() -> None:
    """Sums of others may differ in the last bit from CPU to CPU."""
    learned = module("learned")
    assert {part.dtype.kind for part in (learned.HIDDEN, learned.SHIFT, learned.OUT)} == {"i"}


def test_a_new_game_gets_its_first_legal_decision() -> None:
    view: Any = SimpleNamespace(game="nim", legal=("1", "2"))
    assert module("searcher").decide(view) == "1"
    assert module("learned").decide_many([view], [Random(SEED)]) == ["1"]


def test_prices_in_arrays_are_those_of_the_rules() -> None:
    rng, play_of = Random(SEED), module("arrays").decide_many
    for _ in range(200):
        card, *mine = rng.sample(no_thanks.CARDS, 9)
        view = no_thanks.View(
            0, 3, 0, "play", (), card, rng.randrange(9), 5, (tuple(mine), (), ()), 9, None
        )
        cost = no_thanks.points((*mine, card), 0) - no_thanks.points(tuple(mine), 0)
        take = 3 * view.pot >= cost
        assert play_of([view], [rng]) == ["take" if take else "pass"], f"seed {SEED}: {view}"
