"""Histograms: what is drawn where, by hand."""

from arena.site.histograms import axis_of, histogram
from arena.site.stats_pool import Scores, Spread

EVEN = Spread(4, (0, 2, 0, 2, 0), (0, 0, 1, 2, 2))
ONES = Scores(first=0, width=1, bots=(EVEN,), everybody=EVEN)


def test_bins_of_one_score_have_it_below_their_middle() -> None:
    axis = axis_of(ONES)
    assert [score for _, score in axis.ticks] == [0, 1, 2]
    assert [round(at) for at, _ in axis.ticks] == [17, 50, 83]
    assert axis.bins == 3


def test_bars_stand_side_by_side_on_the_ground() -> None:
    drawn = histogram(ONES, EVEN)
    assert drawn.path == "M0 40V2h1V40h1V2h1V40z"
    assert drawn.at == 1.5
    assert drawn.half == "0 to 2"


def test_what_is_empty_at_the_ends_is_not_drawn_and_equals_are_one_bar() -> None:
    high = Spread(2, (0, 0, 0, 2, 0), (2, 2, 2, 2, 2))
    assert histogram(ONES, high).path == "M2 40V2h1V40z"
    level = Spread(3, (0, 1, 1, 1, 0), (0, 0, 1, 2, 2))
    assert histogram(ONES._replace(everybody=level), level).path == "M0 40V2h3V40z"


def test_wider_bins_have_their_edges_and_open_ones_none() -> None:
    tails = Spread(4, (1, 1, 1, 1), (-9, 1, 5, 9, 99))
    wide = Scores(first=0, width=5, bots=(tails,), everybody=tails)
    assert axis_of(wide).ticks == ((25.0, 0), (50.0, 5), (75.0, 10))


def test_without_games_nothing_is_drawn_and_that_is_said() -> None:
    nobody = Spread(0, (0, 0), ())
    scores = Scores(first=0, width=1, bots=(nobody,), everybody=nobody)
    drawn = histogram(scores, nobody)
    assert (drawn.path, drawn.words) == ("", "no game without a forfeit")
    assert axis_of(scores).ticks == ()
