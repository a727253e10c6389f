"""Standings as pages: standings.html, and what the pages of a site have of it. Pure.

Templates are those of `templates/`; a site (`arena.site`) adds its own, with links and scripts. The
style and the scripts that a page names go inline into it, and their hashes into its
Content-Security-Policy: nothing else can run, whatever a bot's name holds. Names go in as plain
strings, never as markup.
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from arena.escape import visible
from arena.tables import caveats, layout, values
from arena.tables.charts import Heatmap, Scale, heatmaps, scale_of
from arena.tables.columns import COLUMNS_OF_PAGES, Column, Row, page_columns
from arena.tables.document import BotVersion, Standings
from arena.tables.layout import Table
from arena.tables.values import two
from arena.words import interval, short_duration

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = "arena.tables"
NO_SITE = {"links": (), "bots": {}, "games": {}, "date": "", "version": ""}
"""What templates read of the site that a page belongs to, of a page by itself."""

FAULT_WORDS = {
    "load": "the file fails or takes too long to load, or defines no bot",
    "illegal": "answered with what is not legal",
    "error": "raised an exception",
    "time": "took too long for a decision",
    "memory": "took too much memory",
    "crash": "its process died",
    "forbidden": "tried what the walls forbid",
    "protocol": "answered for the arena",
    "strikes": "lost its process too often, so it forfeited the rest of a session",
}
"""What each kind of fault is, in plain words."""

SEAT_WORDS = {
    "seat": "seats are numbered clockwise",
    "wins": "share of the games it won; a team's two seats both have the team's",
    "95 %": "the interval that holds it with 95 %",
}


class Line(NamedTuple):
    """A bot's line in a ranking."""

    row: Row
    low: float  # where its interval begins, in percent of the scale; 0 where that end is open
    mu: float
    high: float  # 100 where open
    words: str  # rating and interval in words


class Ranking(NamedTuple):
    """A table of places, its intervals side by side on one scale: a glance shows which overlap."""

    id: str  # unique on its page
    title: str
    columns: tuple[Column, ...]
    meanings: dict[str, str]  # by a column's title
    lines: tuple[Line, ...]
    scale: Scale
    notes: tuple[str, ...]


class PoolPart(NamedTuple):
    """A pool on a page of standings."""

    game: str
    ranking: Ranking
    heatmaps: tuple[Heatmap, ...]  # empty where other pages have them
    seats: Table | None  # what each seat was worth; None where other pages tell


class Shown(NamedTuple):
    """What a page of standings shows."""

    facts: list[str]  # the first is `12 bots, 10,560 games`
    summaries: tuple[Ranking, ...]  # overall and of games
    pools: tuple[PoolPart, ...]  # empty where they are on other pages
    faults: list[Table]  # one, or none
    words: dict[str, str]  # what the headings of faults and seats mean
    bots: tuple[BotVersion, ...]
    same: list[str]  # which bots are the same, in words
    meanings: dict[str, str]  # of the rankings' headings

    @property
    def crosstables(self) -> dict[str, list[tuple[str, Heatmap]]]:
        """The pools' heatmaps with the titles of their pools, by what they tell."""
        out: dict[str, list[tuple[str, Heatmap]]] = {}
        for pool in self.pools:
            for table in pool.heatmaps:
                out.setdefault(table.words, []).append((pool.ranking.title, table))
        return out


def html(doc: Standings) -> str:
    """The text of standings.html. It needs nothing else: no script, no network; light and dark."""
    pools = tuple(
        PoolPart(
            pool.game,
            ranking_of(doc, id, pool.title, pool.table, [f"{layout.pool_note(pool)}."]),
            tuple(heatmaps(pool, id, most=len(pool.table))),
            layout.seats(pool),
        )
        for id, pool in ((f"pool-{number}", pool) for number, pool in enumerate(doc.pools, 1))
    )
    shown = show(doc, summaries_of(doc), pools)
    site = {"name": doc.name} | NO_SITE
    template = environment((HERE,)).get_template("standings.html")
    return template.render(site=site, shown=shown, contents=contents_of(shown))


def show(doc: Standings, summaries: Sequence[Ranking], pools: Sequence[PoolPart]) -> Shown:
    """Collect what a page of standings shows, with these rankings and pools."""
    name = {column.title: column.meaning for column in COLUMNS_OF_PAGES}["bot"]
    return Shown(
        layout.facts(doc),
        tuple(summaries),
        tuple(pools),
        layout.faults(doc),
        {"bot": name, **FAULT_WORDS, "total": "of all kinds together", **SEAT_WORDS},
        doc.bots,
        layout.legend(doc)[1:],
        meanings_of(doc),
    )


def contents_of(
    shown: Shown, moved: bool = False, games: bool = False, provenance: bool = False
) -> list[tuple[str, str]]:
    """The page's contents: (id, words) of each part, in order. A site's page may have more."""
    out = [(table.id, table.title) for table in shown.summaries]
    out += [(pool.ranking.id, pool.ranking.title) for pool in shown.pools]
    out += [] if shown.pools else [("pools", "Pools")]
    out += [("moved", "What moved")] if moved else []
    out += [("crosstables", "Who beat whom")] if shown.pools else []
    out += [("seats", "Wins by seat")] if any(pool.seats for pool in shown.pools) else []
    out += [("faults", "Faults")] if shown.faults else []
    out += [("watch", "Games to watch")] if games else []
    out += [("bots", "Bots")]
    out += [("provenance", "Provenance")] if provenance else []
    return [*out, ("legend", "How to read this")]


def summaries_of(doc: Standings) -> list[Ranking]:
    """The rankings overall and of games, without those that would repeat another."""
    out = []
    if len(doc.games) > 1:
        left = layout.unlisted(doc)
        notes = ["The mean of the games' ratings, for the bots that entered every game."]
        notes += [f"Not listed: {', '.join(left)}."] if left else []
        notes += caveats.of_orders(doc)
        out.append(ranking_of(doc, "overall", "Overall", doc.overall, notes))
    for game in doc.games:
        if game.pools > 1:
            notes = [f"The mean of the ratings of {game.pools} pools."]
            notes += caveats.of_orders(doc) if len(doc.games) == 1 else []
            out.append(ranking_of(doc, f"game-{game.game}", game.game, game.table, notes))
    return out


def ranking_of(
    doc: Standings, id: str, title: str, rows: Sequence[Row], notes: Sequence[str]
) -> Ranking:
    """A ranking as a page draws it; `notes` stand beside the table."""
    scale = scale_of(
        (end for row in rows for end in (row.mu, *(row.interval or ()))),
        sum(row.mu for row in rows) / len(rows) if rows else None,
    )
    return Ranking(
        id,
        title,
        tuple(page_columns(rows)),
        layout.meanings(doc),
        tuple(line_of(row, scale) for row in rows),
        scale,
        tuple(note.replace("`", "") for note in (*notes, *layout.evidence(rows))),
    )


def meanings_of(doc: Standings) -> dict[str, str]:
    """What the headings of rankings mean, in the order of the columns."""
    words = layout.meanings(doc)
    return {column.heading: words[column.title] for column in COLUMNS_OF_PAGES}


def line_of(row: Row, scale: Scale) -> Line:
    """A bot's row, placed on the scale."""
    mu = scale.at(row.mu)
    if row.interval is None:
        return Line(row, mu, mu, mu, f"{two(row.mu)}, no interval")
    low, high = row.interval
    words = f"{two(row.mu)}: {interval(low, high)}"
    return Line(row, scale.at(low, 0.0), mu, scale.at(high, 100.0), words)


@cache
def environment(packages: tuple[str, ...]) -> "Environment":
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
    env.filters |= {name: getattr(values, name) for name in ("two", "percent", "count", "in_prose")}
    env.filters |= {"of_100": of_100, "short_duration": short_duration}
    env.globals |= {"inline": inline, "policy": policy, "shade": shade}
    return env


def of_100(share: float | None) -> str:
    """A share in percent without the sign, which its heading has; empty for None."""
    return "" if share is None else f"{100 * share:.1f}"


def shade(heat: int) -> str:
    """The CSS class of a heatmap's cell: a (0) by k (10, even) to u (20)."""
    return "abcdefghijklmnopqrstu"[heat]


@cache
def inline(file: str) -> Markup:
    """The text of a file of arena, by its path there, for a page's <style> or <script>."""
    return Markup(files("arena").joinpath(file).read_text("utf-8"))


def policy(styles: Iterable[str], scripts: Sequence[str]) -> str:
    """The Content-Security-Policy of a page with these files inline. A page with scripts of its own
    may load others that lie beside it.
    """
    rules = ["default-src 'none'; base-uri 'none'; form-action 'none'"]
    if scripts:
        rules.append(f"script-src 'self' {' '.join(map(_source, scripts))}; img-src data:")
    return "; ".join([*rules, f"style-src {' '.join(map(_source, styles))}"])


@cache
def _source(file: str) -> str:
    """The hash by which a policy names a file's text."""
    return f"'sha256-{b64encode(sha256(inline(file).encode()).digest()).decode()}'"
