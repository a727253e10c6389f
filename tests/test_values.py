"""Shares as readers see them: each within a tenth of a percent, and 100 % together."""

from functools import partial
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.rating.comparisons import LEAST_DRAWS
from arena.tables import formats, notes, terminal
from arena.tables.document import Seat
from arena.tables.page import html
from arena.values import adding_up, percent_drawn, round_drawn
from tests.documents import SAME, THREE, outcome, pool_of, standings, table, with_pool


def test_shares_add_up_by_largest_remainders() -> None:
    for shares, shown in [
        ([0.333, 0.333, 0.333], [0.334, 0.333, 0.333]),
        ([0.167] * 6, [0.167] * 4 + [0.166] * 2),  # 16.66...: four of six are rounded up
        ([0.3466, 0.3292, 0.3242], [0.347, 0.329, 0.324]),  # remainders .6, .2, .2
    ]:
        assert adding_up(shares) == pytest.approx(shown)


@settings(max_examples=500)
@given(st.lists(st.integers(1, 500), min_size=2, max_size=6))
def test_any_shares_add_up_and_none_is_a_tenth_of_a_percent_off(counts: list[int]) -> None:
    exact = [count / sum(counts) for count in counts]
    shown = adding_up(exact)
    assert max(abs(a - b) for a, b in zip(exact, shown, strict=True)) < 0.001
    assert sum(round(10 * float(f"{100 * share:.1f}")) for share in shown) == 1000


def test_wins_by_seat_add_up_wherever_a_reader_sees_them() -> None:
    third = Seat(wins=0.333, interval=None)
    doc = standings(pool_of(THREE, outcome("abc", (1, 2, 3))))
    doc = with_pool(doc, 0, seats=(third,) * 3)
    for form in (formats.markdown, html, partial(terminal.plain, every=True)):
        assert "33.4 %, 33.3 %, 33.3 %" in " ".join(form(doc).split()), form
    page = html(doc)
    assert (page.count("<td>33.4%</td>"), page.count("<td>33.3%</td>")) == (1, 2)
    assert formats.json(doc).count('"wins": 0.333,') == 3


def test_of_teams_both_add_up_and_without_games_no_seat_has_wins() -> None:
    seats = [Seat(wins=wins, interval=None) for wins in (0.3336, 0.6664) * 2]
    pool = replace(table(SAME, outcome("abab", (1, 2, 1, 2))), seats=tuple(seats))
    assert notes.wins_by_seat(pool) == [0.334, 0.666, 0.334, 0.666]
    assert notes.wins_by_seat(table(THREE)) == [None] * 3


def test_a_share_of_draws_has_the_digits_that_draws_can_tell() -> None:
    for share, published, shown in (
        (0.0, 0.0, "0.0%"), (0.0042, 0.004, "0.4%"), (0.00996, 0.01, "1%"), (0.0142, 0.01, "1%"),
        (0.5, 0.5, "50%"), (0.736, 0.74, "74%"), (0.9964, 0.996, "99.6%"), (1.0, 1.0, "100.0%"),
    ):  # fmt: skip
        assert (round_drawn(share), percent_drawn(published)) == (published, shown)
        decimals = len(str(published).partition(".")[2]) if share else 3
        assert sqrt(share * (1 - share) / LEAST_DRAWS) <= 10.0**-decimals
