"""Histograms: what is drawn where, by hand."""

import numpy as np

from arena.site.histograms import Histogram, Histograms, draw_histograms


def draw(everybody: list[int], *by_bot: list[int]) -> Histograms:
    """The drawings of scores; the first bot has everybody's."""
    return draw_histograms(np.array(everybody), map(np.array, (everybody, *by_bot)))


def test_bins_of_one_score_have_it_below_their_middle() -> None:
    drawn = draw([2, 0, 0, 2])
    assert (drawn.bins, drawn.ticks) == (3, ((16.7, 0), (50.0, 1), (83.3, 2)))


def test_bars_stand_side_by_side_on_the_ground() -> None:
    (drawn,) = draw([0, 2, 2, 0]).bots
    words = "median 1, half of the games from 0 to 2, all from 0 to 2; 4 games"
    path = "M0 40V2h1V40h1V2h1V40z"
    assert drawn == Histogram(4, path, path, 1.5, words, "1", "0 to 2")


def test_what_is_empty_at_the_ends_is_not_drawn_and_equals_are_one_bar() -> None:
    assert draw([0, 0, 2, 2], [2, 2]).bots[1].path == "M2 40V2h1V40z"
    assert draw([0, 1, 2]).bots[0].path == "M0 40V2h3V40z"


def test_wider_bins_have_their_edges_and_open_ones_at_the_ends_none() -> None:
    """Of 1,000 scores from 0 to 49, and two far off at each end: ten bins of five, two open."""
    drawn = draw([-900, -900, *range(50), *[*range(50)] * 19, 900, 900], [-900, 900], [7])
    assert drawn.bins == 12
    assert drawn.ticks == ((8.3, 0), (25.0, 10), (41.7, 20), (58.3, 30), (75.0, 40), (91.7, 50))
    _, far, one = drawn.bots
    assert far.path == "M0 40V2h1V40h10V2h1V40z"
    assert (one.path, one.at) == ("M2 40V2h1V40z", 2.5)  # 0.5 for the open one, 7.5 of 5


def test_without_games_nothing_is_drawn_and_that_is_said() -> None:
    assert draw([]) == (0, (), ((0, "", "", 0.0, "no game without a forfeit", "-", "-"),))
    assert draw([1], []).bots[1] == draw([]).bots[0]
