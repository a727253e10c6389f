"""Payoffs by who sat where: means and counts, by hand."""

import io
from typing import Any

import numpy as np
import pytest

from arena.export.payoffs import Payoffs, file_names, payoffs, tensor, write
from arena.model import Outcome, Pool
from tests.needs import needs

DUEL = Pool("sixteen", 2, "{}", "")
THREE = Pool("no_thanks", 3, "{}", "")
SAME = Pool("sixteen", 4, "{}", "same")
MIXED = Pool("sixteen", 4, "{}", "mixed")
BOTS = ("a", "b", "c", "d")


def of(pool: Pool, *games: tuple[str, tuple[int, ...], tuple[int, ...]]) -> Payoffs:
    """The payoffs of games, each given by its bots, ranks and scores."""
    ended = [
        (Outcome(f"{deal:04x}", tuple(bots), ranks, scores, ("",) * len(bots)), deal)
        for deal, (bots, ranks, scores) in enumerate(games)
    ]
    return payoffs(pool, BOTS, ended)


def rows(found: Payoffs) -> dict[str, Any]:
    """By who sat where: games, shares of wins, mean scores."""
    return {
        "".join(found.bots[bot] for bot in seated): (games, wins, scores)
        for seated, games, wins, scores in zip(
            found.seated.tolist(),
            found.games.tolist(),
            found.wins.tolist(),
            found.scores.tolist(),
            strict=True,
        )
    }


def test_each_seating_has_its_games_and_means() -> None:
    found = of(
        THREE,
        ("abc", (1, 2, 3), (10, 20, 30)),
        ("abc", (2, 1, 3), (20, 10, 31)),
        ("cab", (1, 1, 3), (5, 5, 9)),
    )
    assert rows(found) == {
        "abc": (2, [0.5, 0.5, 0.0], [15.0, 15.0, 30.5]),
        "cab": (1, [0.5, 0.5, 0.0], [5.0, 5.0, 9.0]),
    }


def test_the_tensor_has_an_axis_for_each_seat_and_nan_where_nobody_sat_so() -> None:
    found = of(THREE, ("abc", (1, 2, 3), (1, 2, 3)), ("bca", (1, 1, 1), (4, 4, 4)))
    made = tensor(found)
    assert made
    wins, games = made
    assert (wins.shape, games.shape) == ((3, 4, 4, 4), (4, 4, 4))
    assert wins[:, 0, 1, 2].tolist() == [1.0, 0.0, 0.0]
    assert wins[:, 1, 2, 0].tolist() == pytest.approx([1 / 3] * 3)
    assert games.sum() == 2
    assert (games[0, 1, 2], games[1, 2, 0], games[2, 1, 0]) == (1, 1, 0)
    assert (np.isnan(wins) == (games == 0)).all()
    assert wins[:, games > 0].sum(axis=0).tolist() == pytest.approx([1.0, 1.0])  # one win a game


def test_pairs_are_how_often_one_was_ahead_and_sum_to_one() -> None:
    """a beats b in three of four and ties once with c; b and c never met, d played nobody."""
    found = of(
        DUEL,
        *[("ab", (1, 2), (1, 0))] * 2,
        ("ba", (2, 1), (0, 1)),
        ("ba", (1, 2), (1, 0)),
        ("ca", (1, 1), (0, 0)),
    )
    nan = np.nan
    expected = [[nan, 0.75, 0.5, nan], [0.25, nan, nan, nan], [0.5, nan, nan, nan], [nan] * 4]
    np.testing.assert_array_equal(found.pairs, expected)


def test_a_team_of_one_bot_twice_is_one_player() -> None:
    found = of(SAME, ("abab", (1, 2, 1, 2), (7, 2, 9, 3)))
    assert rows(found) == {"ab": (1, [1.0, 0.0], [8.0, 2.5])}


def test_of_mixed_teams_each_seat_is_a_player_with_the_win_of_its_team() -> None:
    found = of(MIXED, ("dabc", (2, 1, 2, 1), (3, 4, 5, 6)))
    assert rows(found) == {"dabc": (1, [0.0, 1.0, 0.0, 1.0], [3.0, 4.0, 5.0, 6.0])}
    assert np.isnan(found.pairs[3]).tolist() == [False, True, False, True]  # b is its partner


def test_a_game_of_one_bot_with_itself_does_not_count() -> None:
    assert rows(of(DUEL, ("aa", (1, 2), (1, 0)))) == {}


def test_a_tensor_with_too_many_cells_is_left_out_and_rows_are_not() -> None:
    """Thirteen bots on six seats: 6 x 13^6 cells, 29 million."""
    names = [f"bot{number:02}" for number in range(13)]
    game = Outcome("0001", tuple(names[:6]), (1, 2, 3, 4, 5, 6), (0,) * 6, ("",) * 6)
    found = payoffs(Pool("diciassette", 6, "{}", ""), names, [(game, 0)])
    assert tensor(found) is None
    assert found.seated.tolist() == [[0, 1, 2, 3, 4, 5]]
    kept = written(found)
    assert "tensor" not in kept
    assert kept["wins"].tolist() == [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]


def written(found: Payoffs) -> dict[str, Any]:
    file = io.BytesIO()
    write(file, found)
    file.seek(0)
    return dict(np.load(file, allow_pickle=False))


def test_a_file_holds_it_all_the_same_bytes_in_whatever_order_the_games_came() -> None:
    games = [("abc", (1, 2, 3), (1, 2, 3)), ("bca", (1, 1, 3), (4, 4, 9))]
    files = []
    for order in (games, games[::-1]):
        out = io.BytesIO()
        write(out, of(THREE, *order))
        files.append(out.getvalue())
    assert files[0] == files[1]
    kept = dict(np.load(io.BytesIO(files[0]), allow_pickle=False))
    assert kept["bots"].tolist() == [*BOTS]
    assert kept["tensor"].shape == (3, 4, 4, 4)


def test_pools_have_files_of_their_own_with_plain_names() -> None:
    options = [f'{{"n":"{"x" * 90}{end}"}}' for end in "yz"]
    pools = [SAME, THREE._replace(options='{"open_chips":true}'), MIXED]
    pools += [DUEL._replace(options=text) for text in ('{"a":"/../"}', *options)]
    names = file_names(pools)
    assert names[:4] == [
        "sixteen-2v2", "no_thanks-3p-open_chips-true", "sixteen-2v2-mixed", "sixteen-2p-a",
    ]  # fmt: skip
    assert len({*names}) == len(pools)
    assert all(name.replace("-", "").replace("_", "").isalnum() for name in names)


def test_alpha_rank_of_open_spiel_takes_both() -> None:
    """Rock, paper, scissors share the mass; a bot that loses to all three has none."""
    alpharank = needs("open_spiel.python.egt.alpharank", "pip install open_spiel")
    duels = ["ab", "bc", "ca", "ad", "bd", "cd"]  # the first wins
    found = of(DUEL, *[(bots, (1, 2), (1, 0)) for bots in duels])
    mass = alpharank.compute([written(found)["pairs"]])[2]
    assert mass == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)
    both = np.nan_to_num(written(found)["tensor"], nan=0.5)
    assert len(alpharank.compute(list(both))[2]) == 16
