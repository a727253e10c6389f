"""A ranking in the standings' document: its lines, and how sure each two of them are."""

from typing import Annotated

from msgspec import Meta, Struct

from arena.tables.document_values import (
    Count,
    FaultCounts,
    Number,
    OpenInterval,
    Share,
    Shares,
)
from arena.typed_json import means

OF_FEW = means("Of the table's bots, each two; null for more than 100 bots.")


class Row(Struct, frozen=True, kw_only=True):
    """A bot's line in a ranking. Lines are ordered by mu, best first, then by name."""

    place: Annotated[Number, means("Bots of equal mu share the better place.")]
    places: Annotated[
        tuple[Number, Number] | None,
        means(
            "First and last place that the bot may have, with 95 % for all bots at once; null "
            "on too few decks."
        ),
    ]
    bot: str
    mu: Annotated[
        float,
        means("TrueSkill's strength, moved so that a pool's mean is 25, or its anchor where set."),
    ]
    interval: Annotated[
        OpenInterval | None,
        means(
            "Both ends of the 95 % interval of mu; null on too few decks. The upper end is null of "
            "a bot that won all games of a pool, ahead of every opponent, the lower end of a bot "
            "that lost all."
        ),
    ]
    duel: Annotated[
        Share | None,
        means(
            "How often the bot would finish ahead of one drawn from the pool's others, a tie half, "
            "in a duel of two sides; over several pools, the mean as of mu. Null without games "
            "that count."
        ),
    ]
    better_than_next: Annotated[
        Share | None,
        means(
            "The probability that the bot is better than that of the next line, by a posterior "
            "whose prior is fitted to the table; null on the last line, and where one of the two "
            "played too few decks."
        ),
    ]
    first: Annotated[
        Share | None,
        means(
            "The probability, by the same posterior, that none of the table's bots is better; "
            "equals share it. Two decimals, or three below 0.01 and above 0.99. Over the bots "
            "with enough decks; null for the others."
        ),
    ]
    top: Annotated[
        tuple[Share, ...] | None,
        means(
            "The probability that the place is among the first 1, 2, .. 10, or up to the number "
            "of bots with enough decks; with the decimals of `first`, and null as it."
        ),
    ]
    sigma: Annotated[
        float, Meta(ge=0), means("What TrueSkill does not know of mu, were games independent.")
    ]
    low: Annotated[float, means("mu - 3 sigma.")]
    wins: Annotated[
        Share | None,
        means(
            "The share of games won, a shared win divided among its winners; null without games "
            "that count."
        ),
    ]
    score: Annotated[
        float | None,
        means("The mean score in the game's points; null overall and over several pools."),
    ]
    games: Annotated[Count, means("Games with a seat at the table.")]
    decks: Annotated[
        Count, means("Decks in its games that count; over several pools, of that with the fewest.")
    ]
    faults: FaultCounts
    faults_total: Count


class Order(Struct, frozen=True, kw_only=True):
    """A bot of the overall table in two orders: by rating, and by majority of pools."""

    bot: str
    place: Annotated[Number, means("By overall mu.")]
    majority_place: Annotated[Number, means("By `majorities`; equals share the better place.")]
    majorities: Annotated[
        float,
        Meta(ge=0),
        means(
            "The others that a majority of pools rates below the bot, an even vote half; games "
            "weigh the same (Copeland)."
        ),
    ]
    mean_place: Annotated[
        float,
        Meta(ge=1),
        means("The mean of its places in the pools, among these bots; games weigh the same."),
    ]


class Comparisons(Struct, frozen=True, kw_only=True):
    """How sure it is of each two bots of a ranking which is better, by row and column, both in the
    order of `bots`; null on the diagonal, and for bots on too few decks.
    """

    bots: Annotated[tuple[str, ...], means("As in the ranking.")]
    better: Annotated[
        Shares,
        means("The probability that the row's bot is better, by the posterior of `first`."),
    ]
    level: Annotated[
        Shares,
        means(
            "The highest level at which the row's bot is surely ahead, all comparisons of the "
            "ranking taken together: 1 less the adjusted p-value, with the decimals of `first`; 0 "
            "where it is not ahead."
        ),
    ]
