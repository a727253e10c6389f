"""A line of a ranking, and the columns that show it in every format. Pure.

`Row` is a line as standings.json has it. `COLUMNS` says of each column what people read in text,
Markdown, LaTeX and on pages, what CSV has, what it means, and when it gives way to others: all
formats, the legend and the site go by this list. A new statistic is a field of `Row`, a `Column`
here, and its value in `arena.tables.standings`; one that is counted in games is first a field of
`Tallies` (`arena.rating.outcomes`, by way of `pool_table`) and of `Totals` (`standings`). Kept
tables, and the one of results/README.md, follow by `pytest --regen-all -k kept`, twice.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from arena.model import LADDER, NotRankedStatus
from arena.typed_json import Count, Number, means
from arena.values import (
    FaultCounts,
    OpenInterval,
    Share,
    as_published,
    count,
    csv_number,
    percent,
    percent_drawn,
    two,
)
from arena.words import every


class Closes(Struct, frozen=True):
    """The time when a tournament stops taking bots and changes of bots."""

    time: Annotated[str, means("ISO 8601, with the offset.")]
    bots_from_before: Annotated[
        bool, means("Whether its bots are of the last run before it; else of the first after it.")
    ]


Status = Literal["ranked", "broken", "not loaded", NotRankedStatus, "partial", "unplayed"]
A_RUNG = 20  # points for a rung of the ladder

STATUSES: tuple[Status, ...] = get_args(Status)
"""In the order in which a table has them."""

NOT_RANKED: Mapping[Status, str] = {
    "broken": "forfeited at least half of their games",
    "not loaded": "do not load",
    "unranked": "out of the ranking",
    "guest": "guests: house bots, unchanged new bots, further bots of an author",
    "partial": "without a game in some pool",
    "unplayed": "no game yet",
}
"""Reasons why bots have no place, in words."""


class Row(Struct, frozen=True, kw_only=True):
    """A bot's line in a ranking. Lines are ordered by status, then by mu, best first, then by name;
    so those of ranked bots come first.
    """

    status: Annotated[
        Status,
        means(
            "Ranked, or the first that holds: unranked, guest: its `status` in `not_ranked`; "
            "unplayed: it has no game in these pools yet; not loaded: it did not load in half of "
            "its games there or more; broken: it forfeited half or more for any reasons; partial: "
            "it lacks pools."
        ),
    ]
    place: Annotated[
        Number | None,
        means(
            "Among the ranked bots, from 1; bots of equal mu share the better place. Null for "
            "others, as is all else that compares bots of the table."
        ),
    ]
    place_range: Annotated[
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
            "Both ends of the 95 % interval of mu; null with too few decks. The upper end is null "
            "for a bot that won all games of a pool, ahead of every opponent, the lower end for a "
            "bot that lost all."
        ),
    ]
    beats: Annotated[
        Share | None,
        means(
            "How often the bot would finish ahead of one chosen at random from the pool's others, "
            "a tie half, in a duel of two sides; over several pools, the mean as of mu. Null "
            "where there is no interval."
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
    best_probability: Annotated[
        Share | None,
        means(
            "The probability, by the same posterior, that none of the table's bots is better; "
            "equals share it. Two decimals, or three below 0.01 and above 0.99. Over the bots "
            "with enough decks; null for the others."
        ),
    ]
    top_probabilities: Annotated[
        tuple[Share, ...] | None,
        means(
            "The probability that the place is among the first 1, 2, .. 10, or up to the number "
            "of bots with enough decks; with the decimals of `best_probability`, and null in the "
            "same cases."
        ),
    ]
    sigma: Annotated[
        float, Meta(ge=0), means("TrueSkill's uncertainty about mu, if games were independent.")
    ]
    conservative_mu: Annotated[float, means("mu - 3 sigma.")]
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
    faults_total: Annotated[Count, means("The sum of `faults`.")]
    missing_pools: Annotated[
        tuple[str, ...] | UnsetType,
        means(
            "Titles of the table's pools in which it has no game, of those that were begun; its "
            "numbers are of the others. Missing for a bot that played in all."
        ),
    ] = UNSET
    ladder: Annotated[
        Count | UnsetType | None,
        means(
            f"Points for the ladder of house bots, {A_RUNG} for each that the bot stands above; "
            "null for these, guests, and bots on too few decks. Missing without all of them."
        ),
    ] = UNSET

    @property
    def ranked(self) -> bool:
        return self.status == "ranked"

    @property
    def failed(self) -> bool:
        """True if its rating is of forfeits more than of play."""
        return self.status in ("broken", "not loaded")

    @property
    def order(self) -> tuple[int, float, str]:
        """By which lines of a table are ordered."""
        return STATUSES.index(self.status), -self.mu, self.bot


def show_place(place: int | None) -> str:
    return str(place or "-")


def show_places(places: tuple[int, int] | None) -> str:
    """A range of places: `2`, `2-4`, `-` for none."""
    return "-" if places is None else "-".join(map(str, sorted({*places})))


def show_reach(interval: OpenInterval | None) -> str:
    """Half the width of a rating's interval, `-` for none; of a bot that won or lost all, the end
    that is known: `>31.40`, `<12.08`.
    """
    low, high = interval or (None, None)
    if low is not None and high is not None:
        return two((high - low) / 2)
    if low is not None:
        return f">{two(low)}"
    return "-" if high is None else f"<{two(high)}"


def show_points(points: object) -> str:
    return str(points) if isinstance(points, int) else "-"


class Column(NamedTuple):
    """A column of a ranking, in every format that has it. Its functions take the value that a row
    has under its key.
    """

    title: str
    key: str  # of `Row`
    meaning: str
    cell: Callable[[Any], str] | None = None  # what people read; None: only CSV has it, or pages
    csv: tuple[str, ...] | None = None  # its titles there, two for two ends; None: the key
    csv_cell: Callable[[Any], str] = csv_number
    in_legend: bool = False  # whether texts explain it, as pages do of all columns
    on_page: bool = True
    leads: int = 0  # its position among the columns shown first, from 1; 0: shown on request
    share: bool = False  # whether its cells are percentages: on pages the heading has the sign
    drawn: bool = False  # on pages: the interval on the table's scale
    order: Callable[[Any], float] | None = None  # what pages sort by, if not by the text
    style: Callable[[Any], str] | None = None  # CSS class of its cells on pages

    @property
    def heading(self) -> str:
        """Its title on pages."""
        return f"{self.title} %" if self.share else self.title

    def text(self, row: Row) -> str:
        """Its cell as people read it; empty where only CSV has it, or pages draw it."""
        return self.cell(getattr(row, self.key)) if self.cell else ""

    def page_text(self, row: Row) -> str:
        """Its cell on pages: empty where unknown, and without `%`, which the heading has."""
        text = self.text(row)
        return "" if text == "-" else text.removesuffix("%")

    @property
    def csv_titles(self) -> tuple[str, ...]:
        """Its titles in CSV."""
        return (self.key,) if self.csv is None else self.csv

    def csv_cells(self, row: Row) -> list[str]:
        """Its cells of CSV, one for each title, empty where unknown."""
        value, titles = getattr(row, self.key), self.csv_titles
        ends = value or (None, None) if len(titles) == 2 else [value] * len(titles)
        return [self.csv_cell(end) for end in ends]


COLUMNS = (
    Column(
        "#", "place", "place by rating; bots of equal rating share the better place", show_place,
        in_legend=True, leads=1,
    ),
    Column(
        "likely places", "place_range", "the places that the bot may really hold (95 % sure, for "
        "all bots together)", show_places, csv=("place_from", "place_to"), in_legend=True, leads=5,
        order=lambda places: places[0] + places[1] / 10_000,
    ),
    Column("bot", "bot", "name of the bot's file", str, csv=(), leads=2),
    Column("rating", "mu", "strength (TrueSkill's mu); the mean of all bots is 25", two),
    Column(
        "strength", "interval", "the rating (dot) and its 95 % interval (bar)",
        csv=("mu_from", "mu_to"), in_legend=True, leads=3, drawn=True,
    ),
    Column("±", "interval", "half the 95 % interval of the rating", show_reach,
           csv=(), in_legend=True),
    Column(
        "beats", "beats", "how often the bot beats another chosen at random; a tie counts half; "
        "its order may differ from that of strength",
        partial(percent, digits=0), in_legend=True, leads=4, share=True,
    ),
    Column(
        "next", "better_than_next", "how likely the bot is better than the one on the next line",
        percent, in_legend=True, share=True,
    ),
    Column(
        "first", "best_probability", "how likely the bot is the best of all", percent_drawn,
        csv_cell=as_published, in_legend=True, share=True,
    ),
    Column(
        "sigma", "sigma", "TrueSkill's own uncertainty, which treats all games as independent",
        on_page=False,
    ),
    Column(
        "low", "conservative_mu", "the rating minus three sigma", two,
        in_legend=True, on_page=False,
    ),
    Column(
        "wins", "wins", "share of the games won; a shared win is divided among the winners",
        percent, share=True,
    ),
    Column(
        "ladder", "ladder", f"points for the ladder: {A_RUNG} for each of {every(LADDER)} that the "
        "bot stands above", show_points, csv_cell=lambda points: show_points(points).strip("-"),
        in_legend=True, leads=6,
    ),
    Column("score", "score", "mean score in the game's own points", two),
    Column("games", "games", "games played", count, order=int),
    Column("decks", "decks", "decks in its games that count", on_page=False),
    Column(
        "faults", "faults_total", "games forfeited, for any reason", count,
        order=int, style=lambda total: "warn" if total else "",
    ),
)  # fmt: skip
"""All columns, in the order of CSV."""

COLUMNS_SHOWN = tuple(sorted(COLUMNS, key=lambda column: column.leads or len(COLUMNS)))
"""The same in the order of people: first those that say who won and how sure that is."""

COLUMNS_OF_PAGES = tuple(column for column in COLUMNS_SHOWN if column.on_page)


def columns_of(rows: Sequence[Row], columns: Sequence[Column] = COLUMNS_SHOWN) -> list[Column]:
    """The columns that these rows have, without that of scores over several pools."""
    scores = any(row.score is not None for row in rows)
    return [column for column in columns_in(rows, columns) if scores or column.title != "score"]


def columns_in(rows: Sequence[Row], columns: Sequence[Column] = COLUMNS) -> list[Column]:
    """The columns that the release knew which made these rows."""
    return [column for column in columns if not rows or getattr(rows[0], column.key) is not UNSET]
