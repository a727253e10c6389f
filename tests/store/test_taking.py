"""What is kept of bots' processes, taken from other stores: of each session, once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from arena.model import Tally
from arena.store import usage
from arena.store.store import Store
from arena.store.taking import take
from tests.store.test_store import BOTS, POOL, new

IDLE, BUSY = (0, 0.0, 0.0), (7, 0.5, 0.25)


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[list[Store]]:
    """Two shards, and what they are merged into."""
    with ExitStack() as opened:
        yield [
            opened.enter_context(closing(new(tmp_path / name))) for name in ("one", "two", "out")
        ]


def played(store: Store, session: str, figures: tuple[int, float, float] = IDLE) -> None:
    tally = Tally(BOTS[0].name, *figures, (), "")
    told = usage.played_in(session, {"python": "3.11.7"})
    usage.keep(store, [usage.used_of(POOL, BOTS[0], told, tally)])


def sessions(store: Store) -> Counter[usage.Used]:
    return Counter(usage.kept(store))


@pytest.mark.parametrize("figures", [IDLE, BUSY])
def test_two_sessions_of_the_same_figures_both_stay_whatever_is_merged_again(
    stores: list[Store], figures: tuple[int, float, float]
) -> None:
    one, two, out = stores
    for store, names in ((one, ("a0", "b0")), (two, ("c0", "d0", "e0"))):
        for session in names:
            played(store, session, figures)
    every = sessions(one) + sessions(two)
    assert len(every) == 5
    for other in (one, two, one, two, two, one):
        take(out, other, ())
    assert sessions(out) == every


def test_what_came_through_another_store_is_the_same(stores: list[Store]) -> None:
    one, two, out = stores
    played(one, "a0")
    take(two, one, ())
    played(two, "b0")
    for other in (two, one):
        take(out, other, ())
    assert sessions(out) == sessions(two)
    assert sum(sessions(out).values()) == 2


def test_what_was_kept_before_sessions_had_names_is_told_apart_by_its_figures(
    stores: list[Store],
) -> None:
    """Of one store, rows that are alike all stay."""
    one, two, out = stores
    for store, figures in ((one, IDLE), (one, IDLE), (two, BUSY)):
        tally = Tally(BOTS[0].name, *figures, (), "")
        usage.keep(store, [usage.used_of(POOL, BOTS[0], '{"python": "3.11.7"}', tally)])
    for other in (one, two, one):
        take(out, other, ())
    assert sessions(out) == sessions(one) + sessions(two)
