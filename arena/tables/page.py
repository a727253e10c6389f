"""Standings as pages: standings.html, and what the pages of a site have of it. Pure.

Templates are those of `templates/`; a site (`arena.site`) adds its own, with links and scripts. The
style and the scripts that a page names go inline into it, and their hashes into its
Content-Security-Policy: nothing else can run, whatever a bot's name holds. Names go in as plain
strings, never as markup.

An interval is drawn in percent of its cell, not in pixels: so it is as wide as the page lets it be,
and its strokes keep their width. A crosstable is coloured where it is sure who of two is stronger.
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import ceil, floor, log10
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from arena import values
from arena.faults.kinds import KINDS, name_kind
from arena.model import LEVEL
from arena.tables import layout, notes
from arena.tables.columns import COLUMNS_OF_PAGES, NOT_RANKED, Column, Row, columns_of
from arena.tables.document import BotVersion, PoolTable, Standings
from arena.tables.layout import Table
from arena.tables.notes import CROSSTABLE_WORDS, SEAT_WORDS, Notes
from arena.tables.overview import Listing, Part, headline, list_pool, list_tables
from arena.values import two
from arena.words import interval, short_duration, visible
from games import title as game_title

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = "arena.tables"
NO_SITE = {"links": (), "bots": {}, "games": {}, "date": "", "version": "", "url": ""}
"""The site of a page by itself, as templates read it."""

MARGIN = 6.0  # percent left free at either end of a scale, for the outermost tick's number
TICKS = 4  # at most
MEAN = 25.0  # of a pool's ratings, where no anchor moves them
MOST_IN_HEATMAP = 40  # bots of a crosstable
ROOM = 260_000  # bytes for rankings and crosstables, of the 300,000 that a page may have
ROW, CELL = 600, 23  # bytes of a line of a ranking, and of a cell of a crosstable


class Scale(NamedTuple):
    """A linear scale from the least to the greatest of its values."""

    least: float
    most: float
    ticks: tuple[float, ...]  # round numbers on it, ascending
    middle: float | None = None  # the value that others are compared with, if it is on the scale

    def at(self, value: float | None, open_end: float = 0.0) -> float:
        """The place of a value, in percent from the left; None lies at `open_end`."""
        if value is None:
            return open_end
        within = (value - self.least) / (self.most - self.least)
        return round(MARGIN + (100 - 2 * MARGIN) * within, 1)

    def label(self, tick: float) -> str:
        """A tick's number, with as many decimals as the scale's ticks need."""
        step = self.ticks[1] - self.ticks[0] if len(self.ticks) > 1 else 1.0
        return f"{round(tick, 9) + 0.0:.{max(0, -floor(log10(step) + 1e-9))}f}"


class Line(NamedTuple):
    """A bot's line in a ranking."""

    row: Row
    low: float  # where its interval begins, in percent of the scale; 0 where that end is open
    mu: float
    high: float  # 100 where open
    words: str  # rating and interval in words
    places: Sequence[str] = ()  # in each part: `-` if not ranked there, empty if not in it


class Ranking(NamedTuple):
    """A table of places, its intervals side by side on one scale: a glance shows which overlap."""

    id: str  # unique on its page
    title: str
    first: Sequence[Column]
    parts: Sequence[Part]  # places in each game, pool, or a week, after the first columns
    more: Sequence[Column]  # shown on request
    meanings: dict[str, str]  # by a column's title
    lines: Sequence[Line]
    below: Sequence[tuple[str, Sequence[Line]]]  # why they are not ranked, and their lines
    scale: Scale
    notes: Sequence[str]
    details: Sequence[str] = ()  # the statistics behind the notes

    @property
    def columns(self) -> list[Column]:
        """All columns but those of the parts."""
        return [*self.first, *self.more]


class Heatmap(NamedTuple):
    """A table by two bots."""

    id: str  # unique on its page
    title: str
    words: str  # what a cell says
    bots: tuple[str, ...]  # by row and by column, best first
    rows: tuple[tuple[tuple[str, float, int] | None, ...], ...]  # class, share, games; None: unmet
    left_out: int  # bots of lower places


class PoolPart(NamedTuple):
    """A pool on a page of standings."""

    game: str
    ranking: Ranking
    heatmaps: Sequence[Heatmap]  # empty where other pages have them
    seats: Table | None  # what each seat was worth; None where other pages tell


class Shown(NamedTuple):
    """Contents of a page of standings."""

    headline: str  # who won, and how sure that is
    facts: list[str]  # the first is `12 bots, 10,560 games`
    summaries: Sequence[Ranking]  # overall and of games
    pools: Sequence[PoolPart]  # empty where they are on other pages
    faults: list[Table]  # one, or none
    words: dict[str, str]  # what the headings of faults and seats mean
    bots: tuple[BotVersion, ...]
    same: list[str]  # which bots are the same, in words
    meanings: dict[str, str]  # of the rankings' headings

    @property
    def first(self) -> Sequence[Ranking]:
        """The table that stands first and open; none where there is no pool."""
        return self.summaries[:1] or [pool.ranking for pool in self.pools[:1]]


def html(doc: Standings) -> str:
    """The text of standings.html. It needs nothing else: no script, no network; light and dark."""
    pools = [
        PoolPart(
            pool.game,
            ranking_of(doc, list_pool(doc, pool, f"pool-{number}")),
            make_heatmaps(pool, f"pool-{number}", most=len(pool.table)),
            layout.seats(pool),
        )
        for number, pool in enumerate(doc.pools, 1)
    ]
    shown = show(doc, summaries_of(doc), pools)
    site = {"name": doc.tournament} | NO_SITE
    template = page_environment((HERE,)).get_template("standings.html")
    return template.render(site=site, shown=shown, contents=list_contents(shown))


def show_in_room(doc: Standings, weeks: int = 0, before: Part | None = None) -> Shown:
    """The standings on a site's first page, within the room of a page; others have the
    rest. `weeks` is how many lines show places by week: they take room too. The first table has the
    places `before`, if there are such.
    """
    listings = list_tables(doc, before)
    above = len(listings) - len(doc.pools)
    summaries = [ranking_of(doc, listing) for listing in listings[:above]]
    rows = weeks + sum(len(table.lines) for table in summaries)
    rows += sum(len(lines) for table in summaries for _, lines in table.below)
    rows += sum(len(pool.table) for pool in doc.pools)
    shown = () if summaries and rows * ROW > ROOM else doc.pools
    cells = sum(len(pool.table) ** 2 for pool in shown)
    crossed = rows * ROW + cells * CELL <= ROOM or len(doc.pools) == 1
    pools = []
    for pool, listing in zip(shown, listings[above:], strict=False):  # of some pools, or none
        maps = make_heatmaps(pool, listing.id)[:1] if crossed else []
        pools.append(PoolPart(pool.game, ranking_of(doc, listing), maps, None))
    return show(doc, summaries, pools)


def show(doc: Standings, summaries: Sequence[Ranking], pools: Sequence[PoolPart]) -> Shown:
    """Collect what a page of standings shows, with these rankings and pools."""
    meanings = explain_headings(doc)
    words = {name_kind(name): kind.description for name, kind in KINDS.items()}
    return Shown(
        headline=headline(doc),
        facts=notes.list_facts(doc),
        summaries=summaries,
        pools=pools,
        faults=layout.faults(doc),
        words={"bot": meanings["bot"], **words, "total": "of all kinds", **SEAT_WORDS},
        bots=doc.bots,
        same=notes.legend(doc)[1:],
        meanings=meanings,
    )


def list_contents(
    shown: Shown,
    games: bool = False,
    provenance: bool = False,
    weeks: bool = False,
) -> list[tuple[str, str]]:
    """The page's contents: (id, words) of each part, in order. A site's page may have more."""
    out = [(table.id, table.title) for table in shown.first]
    parts = [
        ("watch", "Games to watch", games),
        ("faults", "What broke", bool(shown.faults)),
        ("weeks", "Weeks", weeks),
        ("pools", "All tables", True),
        ("bots", "Bots", True),
        ("provenance", "Provenance", provenance),
        ("legend", "How to read this", True),
    ]
    return out + [(id, words) for id, words, there in parts if there]


def summaries_of(doc: Standings) -> list[Ranking]:
    """The rankings overall and of games, without those that would repeat another."""
    pools = len(doc.pools)
    return [ranking_of(doc, listing) for listing in list_tables(doc)[: -pools or None]]


def ranking_of_bot(doc: Standings, rows: Sequence[Row]) -> Ranking:
    """A bot's lines in several tables, which need not tell its name and place. Their scale marks
    the mean of all bots, where that is the same in all tables: where no anchor moves it.
    """
    anchored = any(pool.anchor and not pool.anchor.problem for pool in doc.pools)
    below = Notes(notes.warn_of_intervals(rows), [])
    ranking = ranking_of(doc, Listing("standings", "", rows, (), below))
    first = [column for column in ranking.first if column.title not in ("#", "bot")]
    scale = ranking.scale
    on_it = not anchored and scale.least <= MEAN <= scale.most
    scale = scale._replace(middle=MEAN if on_it else None)
    lines = [line_of(row, scale) for row in rows]  # ranked there or not, in the order of tables
    return ranking._replace(first=first, scale=scale, lines=lines)


def ranking_of(doc: Standings, listing: Listing) -> Ranking:
    rows, not_ranked = listing.ranked, notes.name_not_ranked(listing.rows)
    scale = scale_of(
        (end for row in listing.drawn for end in (row.mu, *(row.interval or ()))),
        sum(row.mu for row in rows) / len(rows) if rows else None,
    )
    below = [
        (why, [row for row in listing.rows if row.status == status])
        for status, why in NOT_RANKED.items()
    ]
    columns = columns_of(listing.rows, COLUMNS_OF_PAGES)
    plain, details = ([note.replace("`", "") for note in column] for column in listing.notes)
    return Ranking(
        id=listing.id,
        title=listing.title,
        first=[column for column in columns if column.leads],
        parts=listing.parts,
        more=[column for column in columns if not column.leads],
        meanings=notes.meanings(doc),
        lines=[line_of(row, scale, listing.parts) for row in rows],
        below=[
            (why, [line_of(row, scale, listing.parts) for row in of]) for why, of in below if of
        ],
        scale=scale,
        notes=[note for note in plain if note not in not_ranked],  # a line of the table says it
        details=details,
    )


def explain_headings(doc: Standings) -> dict[str, str]:
    """Meanings of the headings of rankings, in the order of the columns."""
    words = notes.meanings(doc)
    columns = [column for column in COLUMNS_OF_PAGES if column.title in words]
    return {column.heading: words[column.title] for column in columns}


def line_of(row: Row, scale: Scale, parts: Sequence[Part] = ()) -> Line:
    """A bot's row, placed on the scale."""
    mu = scale.at(row.mu)
    places = [part.places.get(row.bot, "") for part in parts]
    if row.interval is None:
        return Line(row, 0.0, mu, 100.0, f"{two(row.mu)}, no interval", places)
    low, high = row.interval
    words = f"{two(row.mu)}: {interval(low, high)}"
    return Line(row, scale.at(low, 0.0), mu, scale.at(high, 100.0), words, places)


def scale_of(values: Iterable[float | None], middle: float | None = None) -> Scale:
    """The scale that holds these values, None left out; from 0 to 1 without any value. `middle` is
    marked if it lies on the scale.
    """
    known = [value for value in values if value is not None]
    least, most = min(known, default=0.0), max(known, default=1.0)
    if most - least < 1e-6:
        least, most = least - 0.5, most + 0.5
    on_it = middle if middle is not None and least <= middle <= most else None
    return Scale(least, most, _ticks(least, most), on_it)


def _ticks(least: float, most: float) -> tuple[float, ...]:
    """Round numbers on a scale, `TICKS` at most: multiples of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10((most - least) / TICKS))
    for factor in (1, 2, 5, 10, 20, 50):
        step = factor * power
        numbers = range(ceil(least / step - 1e-9), floor(most / step + 1e-9) + 1)
        if len(numbers) <= TICKS:
            break
    return tuple(number * step for number in numbers)


def make_heatmaps(pool: PoolTable, id: str, most: int = MOST_IN_HEATMAP) -> list[Heatmap]:
    """A pool's crosstables of its first `most` bots."""
    bots, sure, out = pool.crosstable.bots, _find_sure(pool), []
    for what, title, shares, games in layout.results_by_two(pool):
        rows = tuple(
            tuple(
                None if share is None else (sure.get((row, of), ""), share, met)
                for of, share, met in zip(bots[:most], of_row, met_by_row, strict=False)
            )
            for row, of_row, met_by_row in zip(bots[:most], shares, games, strict=False)
        )
        words = f"{CROSSTABLE_WORDS[what]} In percent; the small number counts their games."
        left_out = max(0, len(bots) - most)
        out.append(Heatmap(f"{id}-{what}", title, words, bots[:most], rows, left_out))
    return out


def _find_sure(pool: PoolTable) -> dict[tuple[str, str], str]:
    """The class of the cell of each two bots, by row and column, of which the row's is surely
    stronger or weaker, all pairs taken together.
    """
    sure: dict[tuple[str, str], str] = {}
    if pairs := pool.comparisons:
        for bot, levels in zip(pairs.bots, pairs.confidence, strict=True):
            for other, level in zip(pairs.bots, levels, strict=True):
                if level is not None and level >= LEVEL:
                    sure |= {(bot, other): "up", (other, bot): "down"}
    return sure


@cache
def page_environment(packages: tuple[str, ...]) -> "Environment":
    """The environment that renders the templates of these packages, and keeps them compiled."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    env = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Text alone: what a macro made is a subclass of str, and markup already.
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    env.filters |= {name: getattr(values, name) for name in ("two", "percent", "count")}
    env.filters |= {
        "of_100": of_100,
        "name_kind": name_kind,
        "short_duration": short_duration,
        "game_title": game_title,
    }
    env.globals |= {"inline": inline, "policy": policy}
    return env


def of_100(share: float | None) -> str:
    """A share in percent without the sign, which its heading has; empty for None."""
    return "" if share is None else f"{100 * share:.1f}"


@cache
def inline(file: str) -> Markup:
    """The text of a file of arena, by its path there, for a page's <style> or <script>."""
    return Markup(files("arena").joinpath(file).read_text("utf-8"))


def policy(
    styles: Iterable[str], scripts: Sequence[str], loads: bool = False, frames: bool = False
) -> Markup:
    """The Content-Security-Policy of a page with these files inline; one that `loads` may load
    scripts that lie beside it, one that `frames` may fetch and frame what does.
    """
    rules = ["default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:"]
    rules += ["connect-src 'self'; frame-src 'self'"] * frames
    if scripts:
        sources = [*(["'self'"] if loads else []), *map(_source, scripts)]
        rules.append(f"script-src {' '.join(sources)}")
    return Markup("; ".join([*rules, f"style-src {' '.join(map(_source, styles))}"]))


@cache
def _source(file: str) -> str:
    """The hash by which a policy names a file's text."""
    return f"'sha256-{b64encode(sha256(inline(file).encode()).digest()).decode()}'"
