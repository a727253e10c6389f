"""Does one number suffice? By hand, at its level, and where it does not.

`python -m tests.benchmarks.model_fit` shows level and power over more kinds of leagues.
"""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import pytest
from trueskill import BETA

from arena.model import Pool
from arena.rating import model_fit
from arena.rating.fit import margin_of
from arena.rating.gaussian import Array
from arena.rating.model_fit import assess_fit, find_cycles, find_pair_results, find_who_leads
from arena.rating.outcomes import MergedGames
from arena.rating.rate import rate_bots
from tests.benchmarks.model_fit import CIRCLE, FAILS, HOLDS, found
from tests.simulated import World, league, merge, merge_league, play

DUEL = Pool("diciassette", 2, "{}", "")
SEED = 33


def duels(wins: dict[tuple[int, int], int], games: int) -> MergedGames:
    """Games on decks of their own: of so many of each pair, the first wins so many."""
    names = "abcdefghij"[: 1 + max(map(max, wins))]
    ended = [
        (names[one] + names[other], (1, 2) if game < won else (2, 1))
        for (one, other), won in wins.items()
        for game in range(games)
    ]
    return merge(play(DUEL, names, *((*each, deal) for deal, each in enumerate(ended))), False)


def assess(games: MergedGames) -> model_fit.ModelFit | None:
    bots = int(games.line_ups.max()) + 1
    ratings = rate_bots([str(number) for number in range(bots)], games)
    assert ratings.draw_probability is not None
    return assess_fit(find_pair_results(games, ratings.mu, margin_of(ratings.draw_probability, 1)))


def fitted(games: MergedGames) -> model_fit.ModelFit:
    fit = assess(games)
    assert fit
    return fit


def dense(matrix: model_fit.Sparse, rows: int, columns: int) -> Array:
    full = np.zeros((rows, columns))
    full[matrix.rows, matrix.columns] = matrix.values
    return full


def assess_densely(results: model_fit.PairResults) -> tuple[float, float, Array]:
    """chi-square, freedom and standardised residuals by matrices of all pairs, as the text has it:
    of M V M, with M the projection that takes out what ratings explain.
    """
    covariance = model_fit._covariance(results)
    assert covariance
    count = len(results.pairs)
    weight = 1 / np.sqrt(results.variance + model_fit._FLOOR)
    columns = [dense(results.slopes, count, int(results.pairs.max()) + 1)]
    if results.widening is not None:
        columns.append(results.widening[:, None])
    basis, lengths, _ = np.linalg.svd(weight[:, None] * np.hstack(columns), full_matrices=False)
    basis = basis[:, lengths > 1e-9 * lengths.max()]
    without = np.eye(count) - basis @ basis.T
    one, other, values = covariance
    full = np.zeros((count, count))
    full[one, other] = full[other, one] = values * weight[one] * weight[other]
    of_rest = without @ full @ without
    own = np.maximum(of_rest.diagonal(), 0)
    off = without @ (weight * (results.ahead - results.expected))
    peak = results.variance * np.maximum(1 - 6 * results.variance / results.games, 0)
    square = float((of_rest**2).sum() + (weight**4 * peak).sum() / 2)
    chi_square = float((off**2).sum() * own.sum()) / square
    return chi_square, own.sum() ** 2 / square, off / np.sqrt(own + model_fit._FLOOR * weight**2)


SPREAD = tuple(np.linspace(31, 19, 10))
LEAGUES = {
    "10 at tables of two": lambda rng: merge_league(World(SPREAD, 2, 6), rng),
    "7 at tables of four, ties": lambda rng: merge_league(World(SPREAD[:7], 4, 1, step=6), rng),
    "one far ahead": lambda rng: merge_league(World((70.0, *SPREAD), 3, 1), rng),
    "shared decks": lambda rng: merge_league(World(SPREAD, 2, 6, suits=4.0), rng),
}


@pytest.mark.parametrize("kind", LEAGUES)
def test_figures_are_those_of_whole_matrices(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    games = LEAGUES[kind](np.random.default_rng(SEED))
    ratings = rate_bots([f"b{bot:03}" for bot in range(int(games.sites.bots.max()) + 1)], games)
    assert ratings.draw_probability is not None
    margin = margin_of(ratings.draw_probability, games.sites.bots.shape[1])
    results = find_pair_results(games, ratings.mu, margin)
    chi_square, freedom, standardised = assess_densely(results)
    for chunk in (model_fit.CHUNK, 7):  # some at a time come to the same
        monkeypatch.setattr(model_fit, "CHUNK", chunk)
        fit = assess_fit(results)
        assert fit
        assert (fit.chi_square, fit.freedom) == pytest.approx((chi_square, freedom), rel=1e-7)
        assert fit.standardised == pytest.approx(standardised, rel=1e-7, abs=1e-7)


def test_a_circle_of_three_has_the_chi_square_of_the_tables() -> None:
    fit = fitted(duels({(0, 1): 70, (1, 2): 70, (0, 2): 30}, 100))
    # By hand: equal ratings expect 50, with a variance of 25 but for the one tie in 1,000 that the
    # model has at the least. Three pairs are 20 off, one circle in all.
    variance = 25 * 0.999
    chi = 3 * 20**2 / variance
    assert fit.chi_square / fit.freedom == pytest.approx(chi, rel=1e-6)
    assert fit.freedom == pytest.approx(1, abs=0.02)
    assert fit.p < 1e-9
    error = (variance / 3 + 0.1) ** 0.5
    assert np.abs(fit.standardised) == pytest.approx([20 / error] * 3, rel=1e-6)


def test_where_ratings_explain_all_or_all_was_sure_there_is_nothing_to_test() -> None:
    sure = {(one, other): 40 for one in (0, 1) for other in (2, 3)}
    for wins in ({(0, 1): 30}, {(0, 1): 30, (0, 2): 20, (0, 3): 10}, {**sure, (0, 1): 39}):
        assert assess(duels(wins, 40)) is None


def test_one_upset_of_a_sure_winner_proves_nothing() -> None:
    wins = {(0, 1): 39, (0, 2): 40, (0, 3): 40, (1, 2): 21, (1, 3): 20, (2, 3): 19}
    assert fitted(duels(wins, 40)).p > 0.1


@pytest.mark.parametrize("name", ["six equal bots 3p", "thirty 2p, 2 decks a pair"])
def test_leagues_on_a_line_are_seldom_named(name: str) -> None:
    seed = 9
    fits = [found(HOLDS[name], seed, at).fit for at in range(10)]
    assert 0.85 < np.mean([fit.chi_square / fit.freedom for fit in fits]) < 1.15, f"seed {seed}"
    assert sum(fit.p <= 0.05 for fit in fits) <= 3, f"seed {seed}"  # 0.5 are expected


@pytest.mark.parametrize("name", [
    "rock, paper, scissors and three others, 2p", "the same, 3p",
    "thirty 2p, 2 decks a pair, each pair off by chance, sd 4 mu",
])  # fmt: skip
def test_leagues_off_the_line_are_named(name: str) -> None:
    seed, leagues = 7, 4
    made = [found(FAILS[name], seed, at) for at in range(leagues)]
    assert sum(each.fit.p < 0.05 for each in made) >= leagues - 1, f"seed {seed}"
    if name.endswith("2p"):
        assert [each.cycles for each in made] == [1] * leagues


def test_where_all_but_the_winner_tie_the_pairs_are_not_said_to_be_off() -> None:
    """A row of ties is wider than the margin: of two far apart the model expects too much."""
    world = World((32, 27, 23, 18), 4, 60, shared=False, winner_only=True)
    fits = [found(world, 12, at).fit for at in range(3)]
    assert min(fit.p for fit in fits) > 0.01


def test_the_order_of_games_and_names_changes_no_digit() -> None:
    rng, world = np.random.default_rng(8), World((28, 26, 25, 24), 3, 6, suits=2.0, feuds=CIRCLE)
    table = league(world, rng)
    order = rng.permutation(len(table.deals))
    bots, ranks, deals = (each[order] for each in (table.bots, table.ranks, table.deals))
    mixed = table._replace(bots=bots, ranks=ranks, deals=deals)
    kept, again = fitted(merge(table)), fitted(merge(mixed))
    assert kept[:3] == again[:3]
    assert (kept.standardised == again.standardised).all()


THREE, MIXED = Pool("no_thanks", 3, "{}", ""), Pool("sixteen", 4, "{}", "mixed")


def games(pool: Pool, names: str, *played: tuple[str, Sequence[int], int]) -> MergedGames:
    return merge(play(pool, names, *played))


def by_pair(results: model_fit.PairResults, values: object, names: str) -> dict[str, float]:
    found = np.asarray(values).tolist()
    pairs = ["".join(names[bot] for bot in pair) for pair in results.pairs.tolist()]
    return dict(zip(pairs, found, strict=True))


def test_games_and_ties_are_counted_by_pair() -> None:
    played = games(THREE, "abcd", ("cab", (1, 2, 2), 0), ("abc", (1, 2, 3), 0),
                   ("dab", (2, 1, 3), 1))  # fmt: skip
    found = find_pair_results(played, np.full(4, 25.0), 1.0)
    # By hand: a ties with b, beats b, beats b; c beats a, then loses.
    assert by_pair(found, found.games, "abcd") == {"ab": 3, "ac": 2, "ad": 1, "bc": 2, "bd": 1}
    assert by_pair(found, found.ahead, "abcd") == {"ab": 2.5, "ac": 1, "ad": 1, "bc": 1, "bd": 0}
    assert by_pair(found, found.expected, "abcd") == {
        pair: pytest.approx(met / 2) for pair, met in by_pair(found, found.games, "abcd").items()
    }
    assert by_pair(found, found.decks, "abcd") == {"ab": 2, "ac": 1, "ad": 1, "bc": 1, "bd": 1}
    # The lead of a over b: half a game on the first deck, half on the second.
    assert by_pair(found, found.squares, "abcd") == {
        "ab": 0.5, "ac": 0, "ad": 0.25, "bc": 0, "bd": 0.25,
    }  # fmt: skip


def test_the_model_s_chance_and_variance_are_the_normal_s() -> None:
    mu, margin = np.array([30.0, 24, 20]), 1.5
    found = find_pair_results(games(THREE, "abc", ("cab", (1, 2, 3), 0)), mu, margin)
    deviation = 2**0.5 * BETA
    luck = NormalDist(6, deviation)
    won, lost = 1 - luck.cdf(margin), luck.cdf(-margin)
    tied = 1 - won - lost
    share = won + tied / 2
    assert found.expected[0] == pytest.approx(share, abs=1e-12)
    by_hand = won * (1 - share) ** 2 + tied * (0.5 - share) ** 2 + lost * share**2
    assert found.variance[0] == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("pool", [THREE, MIXED], ids=["alone", "partners"])
def test_the_slopes_are_those_of_what_is_expected(pool: Pool) -> None:
    played = games(pool, "abcd", *[
        (line_up[: pool.players], (1, 2, 1, 2) if pool is MIXED else (1, 3, 2), deal)
        for deal, line_up in enumerate(["abcd", "bdca", "dcba", "acdb"])
    ])  # fmt: skip
    mu = np.array([30.0, 26, 24, 19])
    found = find_pair_results(played, mu, 1.0)
    rise = (find_pair_results(played, mu, 1.0 + 1e-5).expected - found.expected) / 1e-5
    if pool is THREE:
        assert found.widening == pytest.approx(rise, abs=1e-6)
        assert np.abs(rise).max() > 0.001
    assert (found.widening is not None) == (pool is THREE)
    slopes = dense(found.slopes, len(found.pairs), 4)
    for bot in range(4):
        moved = mu + 1e-5 * (np.arange(4) == bot)
        rise = (find_pair_results(played, moved, 1.0).expected - found.expected) / 1e-5
        assert slopes[:, bot] == pytest.approx(rise, abs=1e-6)


def test_partners_play_as_one_and_are_no_pair() -> None:
    mu = np.array([30.0, 26, 24, 19])
    found = find_pair_results(games(MIXED, "abcd", ("abcd", (1, 2, 1, 2), 0)), mu, 0.0)
    # a and c sit opposite b and d: 54 against 45, four performances.
    expected = NormalDist(0, 2 * BETA).cdf(9)
    assert by_pair(found, found.expected, "abcd") == {
        "ab": pytest.approx(expected), "ad": pytest.approx(expected),
        "bc": pytest.approx(1 - expected), "cd": pytest.approx(expected),
    }  # fmt: skip


def test_deviations_are_by_deck_from_the_pair_s_mean() -> None:
    played = [("abc", (1, 2, 3), 0), ("bac", (2, 1, 3), 0), ("abc", (2, 1, 3), 1)]
    found = find_pair_results(games(THREE, "abc", *played), np.full(3, 25.0), 0.1)
    # By hand: a is ahead of b in 2 of 3; on the first deck twice, 4/3 expected of it.
    assert found.deviations[0].tolist() == pytest.approx([2 / 3, -2 / 3])
    assert found.spread[0] == pytest.approx(2 * (1 / 3) ** 2 + (2 / 3) ** 2)


def results(wins: dict[tuple[int, int], int], games: int) -> model_fit.PairResults:
    played = duels(wins, games)
    return find_pair_results(played, np.full(1 + max(map(max, wins)), 25.0), 0.1)


def test_who_won_all_is_surely_ahead_from_some_decks_on() -> None:
    # By hand, three pairs: z^2 is the number of decks; 6 exp(-9/2) = .067, 6 exp(-5) = .040.
    for games, surety in ((9, 0), (10, 10**0.5)):
        found, z = find_who_leads(results({(0, 1): games, (0, 2): games, (1, 2): games}, games), 3)
        assert (found == (np.triu(np.ones((3, 3)), 1) * surety > 0)).all()
        assert z[0, 1] == -z[1, 0] == pytest.approx(surety)


def test_a_cycle_is_found_and_how_sure_it_is_at_its_weakest() -> None:
    sure, last = {(0, 1): 70, (1, 2): 80, (0, 2): 20}, {(0, 3): 90, (1, 3): 90, (2, 3): 90}
    for wins, cycles in (
        ({**sure, **last}, [((0, 1, 2), 4)]),  # by hand: 20 games above the half, over root 25
        ({(0, 1): 20, (1, 2): 20, (0, 2): 80}, [((0, 2, 1), 6)]),  # the other way round
        ({**sure, (0, 2): 42}, []),  # one pair is not sure
        ({**sure, (0, 1): 58}, []),
        ({**sure, (1, 2): 58}, []),
    ):
        found = find_cycles(*find_who_leads(results(wins, 100), 4))
        assert [each.bots for each in found] == [bots for bots, _ in cycles]
        assert [each.surety for each in found] == pytest.approx([z for _, z in cycles])
