"""A line of a ranking, and the columns that show it in every format. Pure.

`Row` is a line as standings.json has it. `COLUMNS` says of each column what people read in text,
Markdown, LaTeX and on pages, what CSV has, what it means, and when it gives way to others: all
formats, the legend and the site go by this list. A new statistic is a field of `Row`, a `Column`
here, and its value in `arena.tables.standings`.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from arena.tables.values import (
    Count,
    FaultCounts,
    Number,
    OpenInterval,
    Share,
    count,
    percent,
    percent_drawn,
    three,
    two,
)
from arena.typed_json import means


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


def places(row: Row) -> str:
    """A row's range of places: `2`, `2-4`, `-` for none."""
    return "-" if row.places is None else "-".join(map(str, sorted({*row.places})))


def places_order(row: Row) -> float | None:
    """The sort key of a range of places: by its first place, then by its last."""
    return None if row.places is None else row.places[0] + row.places[1] / 10_000


def reach(row: Row) -> str:
    """Half the width of the rating's interval, `-` for none; of a bot that won or lost all, the end
    that is known: `>31.40`, `<12.08`.
    """
    low, high = row.interval or (None, None)
    if low is not None and high is not None:
        return two((high - low) / 2)
    if low is not None:
        return f">{two(low)}"
    return "-" if high is None else f"<{two(high)}"


def _number(value: float | None) -> str:
    """A cell of CSV with the value as it is published, empty for None."""
    return "" if value is None else str(value)


Cell = Callable[[Row], str]


class Column(NamedTuple):
    """A column of a ranking, in every format that has it."""

    title: str
    meaning: str
    cell: Cell | None = None  # what people read; None: only CSV has it, or pages draw it
    csv: Mapping[str, Cell] = MappingProxyType({})  # its columns of CSV, by title
    in_legend: bool = False  # whether texts explain it, as pages do of all columns
    gives_way: int = 0  # where a terminal is narrow: the lower, the sooner left out; 0: never
    on_page: bool = True
    leads: bool = False  # whether pages have it before others: as much as a phone shows
    share: bool = False  # whether its cells are percentages: on pages the heading has the sign
    drawn: bool = False  # on pages: the interval on the table's scale
    order: Callable[[Row], float | None] | None = None  # what pages sort by, if not by the text
    style: Callable[[Row], str] | None = None  # CSS class of its cells on pages

    @property
    def heading(self) -> str:
        """Its title on pages."""
        return f"{self.title} %" if self.share else self.title

    def page_cell(self, row: Row) -> str:
        """Its text on pages: empty where unknown, and without `%`, which the heading has."""
        text = self.cell(row) if self.cell else ""
        return "" if text == "-" else text.removesuffix("%")


COLUMNS = (
    Column(
        "#",
        "place by rating; equal ratings share the better place",
        lambda row: str(row.place),
        csv={"place": lambda row: str(row.place)},
        leads=True,
    ),
    Column(
        "places",
        "ranks the bot may really hold (95 %, all bots together)",
        places,
        csv={
            "first_place": lambda row: _number(row.places and row.places[0]),
            "last_place": lambda row: _number(row.places and row.places[1]),
        },
        in_legend=True,
        gives_way=8,
        order=places_order,
    ),
    Column("bot", "name, as its file is called", lambda row: row.bot, leads=True),
    Column(
        "rating",
        "TrueSkill's mu: how strong the bot is. The mean of all bots is 25",
        lambda row: two(row.mu),
        csv={"mu": lambda row: three(row.mu)},
        leads=True,
        style=lambda row: "main",
    ),
    Column(
        "95 %",
        "the rating as a dot, and the interval that holds it with 95 %",
        csv={
            "mu_from": lambda row: three(row.interval and row.interval[0]),
            "mu_to": lambda row: three(row.interval and row.interval[1]),
        },
        leads=True,
        drawn=True,
        order=lambda row: row.mu,
    ),
    Column("±", "half the 95 % interval of the rating", reach, in_legend=True, leads=True),
    Column(
        "duels",
        "how often the bot would beat one drawn from the field, a tie half",
        lambda row: percent(row.duel),
        csv={"duel": lambda row: three(row.duel)},
        in_legend=True,
        gives_way=4,
        share=True,
    ),
    Column(
        "next",
        "how likely the bot is better than the next",
        lambda row: percent(row.better_than_next),
        csv={"better_than_next": lambda row: three(row.better_than_next)},
        in_legend=True,
        gives_way=3,
        share=True,
    ),
    Column(
        "first",
        "how likely it is the best of all",
        lambda row: percent_drawn(row.first),
        csv={"first": lambda row: _number(row.first)},
        in_legend=True,
        gives_way=2,
        share=True,
    ),
    Column(
        "sigma",
        "what TrueSkill does not know of the rating, were games independent",
        csv={"sigma": lambda row: three(row.sigma)},
        on_page=False,
    ),
    Column(
        "low",
        "the rating less three sigma",
        lambda row: two(row.low),
        csv={"low": lambda row: three(row.low)},
        in_legend=True,
        gives_way=1,
        on_page=False,
    ),
    Column(
        "wins",
        "the share of the games won, a shared win divided among its sharers",
        lambda row: percent(row.wins),
        csv={"wins": lambda row: three(row.wins)},
        share=True,
    ),
    Column(
        "score",
        "mean score in the game's own points",
        lambda row: two(row.score),
        csv={"score": lambda row: three(row.score)},
        gives_way=7,
    ),
    Column(
        "games",
        "games played",
        lambda row: count(row.games),
        csv={"games": lambda row: str(row.games)},
        gives_way=6,
        order=lambda row: row.games,
    ),
    Column(
        "decks",
        "decks in its games that count",
        csv={"decks": lambda row: str(row.decks)},
        on_page=False,
    ),
    Column(
        "faults",
        "games forfeited, for whatever reason",
        lambda row: count(row.faults_total),
        csv={"faults_total": lambda row: str(row.faults_total)},
        gives_way=5,
        order=lambda row: row.faults_total,
        style=lambda row: "warn" if row.faults_total else "",
    ),
)
"""All columns, in the order of texts and of CSV."""

GIVES_WAY = tuple(
    column.title for column in sorted(COLUMNS, key=lambda each: each.gives_way) if column.gives_way
)
"""The columns that a narrow terminal does without, those that say least first."""

COLUMNS_OF_PAGES = tuple(
    sorted((column for column in COLUMNS if column.on_page), key=lambda column: not column.leads)
)
"""The columns that pages have, with those in front that a phone shows."""


def text_columns(rows: Sequence[Row]) -> list[Column]:
    """The columns of these rows in text, Markdown and LaTeX."""
    return _without_scores([column for column in COLUMNS if column.cell], rows)


def page_columns(rows: Sequence[Row]) -> list[Column]:
    """The columns of these rows on pages."""
    return _without_scores(COLUMNS_OF_PAGES, rows)


def _without_scores(columns: Sequence[Column], rows: Sequence[Row]) -> list[Column]:
    """Leave out the column of scores where rows have none: over several pools."""
    scores = any(row.score is not None for row in rows)
    return [column for column in columns if scores or column.title != "score"]
