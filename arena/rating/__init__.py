"""TrueSkill ratings independent of the games' order, with their uncertainty.

`outcomes` has the games in columns, and counts them; `fit` finds the ratings; `rate` puts them
together with their errors (`intervals` from decks, `separation` where a bot never lost) and
averages pools. From these come `comparisons` (who is significantly ahead), `posterior` (chances of
places), `anchor` (ratings measured from one bot) and `model_fit` (does one number a bot suffice).
`gaussian` and `p_values` are the distributions.

Imports games. Pure; numpy takes its time to load, so import this where it is used.
Begin with `rate`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.rating.anchor import find_anchor_objection, find_rating_offset, measure_ratings_from
    from arena.rating.comparisons import compare_bots
    from arena.rating.fit import BETA, MU, SIGMA, Gaussian, Rating, TrueSkill
    from arena.rating.gaussian import Array, Flags, normal_cdf
    from arena.rating.model_fit import compare_with_ratings
    from arena.rating.outcomes import (
        CountedGames,
        GameColumns,
        Ints,
        MergedGames,
        PairTallies,
        count_differing,
        find_seats_of_sides,
        make_columns,
        merge_games,
        number_rows,
        select_counted,
        share_wins,
        sum_by,
        tally_bots,
        tally_pairs,
        tally_seats,
    )
    from arena.rating.p_values import (
        BAND_MU,
        adjust_by_holm,
        estimate_mean,
        incomplete_beta,
        is_negligible,
        judge_means,
        t_above,
        t_critical,
        t_tail,
    )
    from arena.rating.posterior import estimate_chances
    from arena.rating.rate import (
        Rated,
        Ratings,
        combine_rated,
        duel_chances,
        find_rating_bounds,
        find_uneven_mu,
        rank_by_majority,
        rate_bots,
        win_chance,
    )

__getattr__ = face(__name__)
