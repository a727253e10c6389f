"""The standings as a document: the types of all that standings.json holds.

Fields are the keys, in the order of the file; descriptions and ranges go into its JSON Schema. A
line of a ranking is `arena.tables.columns.Row`; `arena.tables.standings` makes a document,
`arena.tables.formats` writes it, `arena schema standings` describes it. A key that is renamed, or
means something else, needs a new `VERSION`.
"""

from collections.abc import Iterable
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from arena.ids import COMMITMENT
from arena.model import Author, NotRanked, Partners
from arena.sequential.document import PoolTest
from arena.tables.columns import Closes, Row
from arena.typed_json import Count, Number, means
from arena.values import Counts, FaultCounts, Interval, Share, Shares, rounded

VERSION: Final = 8

Names = tuple[str, ...]

APART = 0.034
"""By how much the share ahead in a duel changes with a difference of mu that is none in practice:
Phi(`BAND_MU` / (root of 2 x `BETA`)) less a half. With a million games the fit's test finds smaller
changes, and they do not matter."""

OF_FEW = means("Every pair of the table's bots; null for more than 100 bots.")


class Order(Struct, frozen=True, kw_only=True):
    """A bot of the overall table in two orders: by rating, and by majority of pools."""

    bot: str
    place: Annotated[Number, means("By overall mu.")]
    majority_place: Annotated[Number, means("By `majority_wins`; equals share the better place.")]
    majority_wins: Annotated[
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
    """The certainty for each two bots of a ranking which is better, by row and column, both in the
    order of `bots`; null on the diagonal, and for bots on too few decks.
    """

    bots: Annotated[tuple[str, ...], means("The ranked bots, as in the ranking.")]
    better_probability: Annotated[
        Shares,
        means(
            "The probability that the row's bot is better, by the posterior of `best_probability`."
        ),
    ]
    confidence: Annotated[
        Shares,
        means(
            "The highest level at which the row's bot is clearly ahead, all comparisons of the "
            "ranking taken together: 1 less the adjusted p-value, with the decimals of "
            "`best_probability`; 0 where it is not ahead."
        ),
    ]


class Crosstable(Struct, frozen=True, kw_only=True):
    """Results of the bots against each other, by row and column, both in the order of `bots`."""

    bots: tuple[str, ...]
    games: Annotated[Counts, means("Games that count in which the two were opponents.")]
    ahead_share: Annotated[
        Shares,
        means("The share of these in which the row's bot finished ahead, a tie half; or null."),
    ]
    win_share: Annotated[Shares, means("The share of these that the row's bot won; or null.")]
    left_seat_games: Annotated[
        Counts | None,
        means(
            "Of `games`, those in which the column's bot sat to the left of the row's: it comes "
            "next, clockwise. Null where there are only two sides."
        ),
    ]
    left_seat_win_share: Annotated[
        Shares | None,
        means("The share of these that the row's bot won; null where `left_seat_games` is."),
    ]


class Seat(Struct, frozen=True, kw_only=True):
    """The worth of a seat. A team's two seats both have the team's wins."""

    wins: Annotated[Share | None, means("The share of games won; null without games.")]
    interval: Annotated[
        Interval | None,
        means(
            "Both ends of its 95 % interval, which may reach below 0 or above 1; null with too few "
            "decks."
        ),
    ]


class AnchorPoint(Struct, frozen=True, kw_only=True):
    """The bot that a pool's ratings are measured from: intervals are of differences to it."""

    bot: str
    rating: Annotated[float, means("What its mu is set to.")]
    shift: Annotated[
        float,
        means("What was added to every mu of the pool, whose mean was 25; 0 with a `problem`."),
    ]
    problem: Annotated[
        str | None,
        means("Why the pool's ratings are not measured from it after all; null where they are."),
    ]


class Residual(Struct, frozen=True, kw_only=True):
    """Two opponents of whom one did better than the ratings say."""

    bot: Annotated[str, means("Who did better.")]
    other: str
    games: Annotated[Number, means("Games that count in which they were opponents.")]
    observed_share: Annotated[Share, means("The share in which `bot` finished ahead, a tie half.")]
    expected_share: Annotated[Share, means("The same, by the ratings.")]
    standardised: Annotated[
        float,
        means(
            "The difference in its standard errors, less what other ratings could explain, with "
            "0.1 added to the variance of the games ahead."
        ),
    ]

    @property
    def matters(self) -> bool:
        """True if results differ from ratings by enough to matter in practice."""
        return rounded(self.observed_share - self.expected_share) >= APART


class Fit(Struct, frozen=True, kw_only=True):
    """A test that one number for each bot suffices, by who finished ahead of whom."""

    chi_square: Annotated[
        float,
        Meta(ge=0),
        means("What all pairs are off by; about `degrees_of_freedom` if ratings suffice."),
    ]
    degrees_of_freedom: Annotated[
        float, Meta(gt=0), means("Its degrees of freedom, corrected for decks and tables shared.")
    ]
    p_value: Annotated[
        Share,
        means("Probability of this much or more by luck, if ratings suffice; to six decimals."),
    ]
    significant: Annotated[
        bool,
        means(
            "Whether the tables' notes say that one number does not suffice: at p of 0.05, all "
            "pools taken together (Holm), where a residual is 0.034 or more."
        ),
    ]
    residuals: Annotated[
        tuple[Residual, ...], means("The ten that are most standard errors off, these first.")
    ]
    cycles: Annotated[
        tuple[tuple[str, str, str], ...],
        means(
            "Bots, each clearly ahead of the next more often than behind, and the last ahead of "
            "the first, at 95 % for all pairs at once; the ten surest."
        ),
    ]
    cycles_total: Annotated[Count, means("How many there are.")]


class PoolTable(Struct, frozen=True, kw_only=True):
    """A pool: one game with one number of players and one set of options, rated alone."""

    game: str
    players: Annotated[Number, means("Seats.")]
    options: Annotated[str, means("JSON of the options that differ from the game's defaults.")]
    partners: Annotated[
        Partners,
        means("Empty: all play alone; same: a team is one bot twice; mixed: any two bots."),
    ]
    title: Annotated[str, means("The pool in words.")]
    games: Count
    decks: Annotated[Count, means("Decks of the games that count.")]
    draw_probability: Annotated[
        Share | None, means("How often two equal sides would tie, as fitted; null without games.")
    ]
    converged: Annotated[bool, means("Whether the fit converged; if not, the ratings are rough.")]
    anchor: Annotated[
        AnchorPoint | None,
        means("What its ratings are measured from; null where that is the mean of its bots, 25."),
    ]
    line_ups_not_played: Annotated[
        Count, means("Line-ups that were left out, for bots in them that do not load.")
    ]
    table: tuple[Row, ...]
    comparisons: Annotated[Comparisons | None, OF_FEW]
    crosstable: Crosstable
    fit: Annotated[
        Fit | None,
        means("Null with too few decks, and where no more pairs met than ratings explain anyway."),
    ]
    seats: Annotated[tuple[Seat, ...], means("By seat.")]
    sequential_test: Annotated[
        PoolTest | UnsetType | None,
        means(
            "The test of a pool that is to be settled; null for one that is played straight "
            "through. Missing where the tables were made without a plan."
        ),
    ] = UNSET

    @property
    def guests(self) -> set[str]:
        """The names of its guests."""
        return {row.bot for row in self.table if row.status == "guest"}


class BotVersion(Struct, frozen=True, kw_only=True):
    """A bot that was entered."""

    name: str
    hash: Annotated[str, means("SHA-256 over its files' paths and bytes, hex.")]
    author: Annotated[
        Author | UnsetType,
        means("What its docstring says; missing unless the config's `show_authors` shows it."),
    ] = UNSET


class GameTable(Struct, frozen=True, kw_only=True):
    """A game's ranking: the means of its pools' ratings."""

    game: str
    pool_count: Annotated[Number, means("How many pools the game has.")]
    table: tuple[Row, ...]
    comparisons: Annotated[Comparisons | None, OF_FEW]


class BotFaults(Struct, frozen=True, kw_only=True):
    """A bot's faults in all pools."""

    bot: str
    faults: FaultCounts
    total: Count


class NotLoaded(Struct, frozen=True, kw_only=True):
    """A bot that did not load when it was last tried."""

    bot: str
    reason: Annotated[str, means("What was raised or is wrong, and where.")]
    permanent: Annotated[
        bool, means("Whether a further try would only repeat it; if not, the next run tries again.")
    ]


class Standings(Struct, frozen=True, kw_only=True):
    """The standings of a tournament: only what play determines, no time, date or machine.

    Numbers are rounded to three decimals where nothing else is said. Keys may be added to this
    version; what is there keeps its meaning.
    """

    version: Annotated[Literal[8], means("Of this format.")]
    tournament: Annotated[str, means("Its name.")]
    seed: Annotated[
        Literal["given", "secret"],
        means("Given: in the config, so that deals can be known before they are played."),
    ]
    commitment: Annotated[
        Annotated[str, Meta(pattern=f"^{COMMITMENT}$")] | None,
        means(
            "The hash of the secret that all deals come from: what `arena reveal` "
            "publishes at the end can be compared with it. Null where the seed is given, and of a "
            "copy that was published without."
        ),
    ]
    confinement: Annotated[str, means("What confined the bots.")]
    bots: Annotated[tuple[BotVersion, ...], means("By name.")]
    overall: Annotated[
        tuple[Row, ...],
        means("The means of the games' ratings."),
    ]
    majority_order: Annotated[
        tuple[Order, ...], means("The ranked bots of `overall`, in its order.")
    ]
    overall_comparisons: Annotated[
        Comparisons | None,
        means("Every pair of the bots of `overall`; null for none, or more than 100, bots."),
    ]
    games: Annotated[tuple[GameTable, ...], means("By name.")]
    pools: Annotated[tuple[PoolTable, ...], means("By game and shape.")]
    faults: Annotated[tuple[BotFaults, ...], means("By bot; those without a fault too.")]
    not_ranked: Annotated[
        tuple[NotRanked, ...] | UnsetType, means("By bot. Missing where all are ranked.")
    ] = UNSET
    entries_close: Annotated[Closes | UnsetType, means("Missing where the config has none.")] = (
        UNSET
    )
    not_loaded: Annotated[
        tuple[NotLoaded, ...] | UnsetType,
        means("The bots that did not load when they were last tried, by name. Missing for none."),
    ] = UNSET

    @property
    def has_games(self) -> bool:
        return any(pool.games for pool in self.pools)


def group_identical(bots: Iterable[tuple[str, str]]) -> tuple[Names, ...]:
    """Group the names of bots that have the same content hash: entered twice by mistake, or to see
    what luck does.

    Takes (name, hash) pairs. Groups have two names or more; names within a group are in order, and
    so are groups, by their first name.
    """
    by_hash: dict[str, list[str]] = {}
    for name, hash in sorted(bots):
        by_hash.setdefault(hash, []).append(name)
    return tuple(tuple(names) for names in by_hash.values() if len(names) > 1)
