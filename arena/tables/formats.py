"""The standings in the formats of files, for people and programs.

Each function takes the document and returns the whole text. Every string of the document is taken
for hostile, names too, and goes through `arena.escape`. What the terminal shows is made in
`arena.tables.terminal`.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from csv import writer
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from json import dumps
from typing import TYPE_CHECKING

from msgspec import structs, to_builtins
from tabulate import tabulate

from arena import escape, words
from arena.errors import UsageError
from arena.escape import visible
from arena.tables import caveats, layout
from arena.tables.document import BotFaults, Standings
from arena.tables.document_ranking import Row
from arena.tables.identical import identical
from arena.tables.layout import Column, Table

if TYPE_CHECKING:
    from jinja2 import Template


def select(doc: Standings, game: str | None) -> Standings:
    """Return the document cut to one game (None: as it is), with no overall table and the faults
    of that game alone. Raises UsageError if the game was not played.
    """
    if game is None:
        return doc
    check_game(doc.name, [entry.game for entry in doc.games], game)
    pools = tuple(pool for pool in doc.pools if pool.game == game)
    rows = [row for pool in pools for row in pool.table]
    entered = {row.bot for row in rows}
    bots = tuple(bot for bot in doc.bots if bot.name in entered)
    return structs.replace(
        doc,
        bots=bots,
        identical=identical((bot.name, bot.hash) for bot in bots),
        overall=(),
        orders=(),
        overall_comparisons=None,
        games=tuple(entry for entry in doc.games if entry.game == game),
        pools=pools,
        faults=tuple(_faults_in(rows, entry) for entry in doc.faults if entry.bot in entered),
    )


def check_game(tournament: str, names: Sequence[str], game: str) -> None:
    """Raise UsageError if the game is none of those that were played."""
    if game not in names:
        near = words.nearest(game, names)
        hint = f"did you mean {near}?" if near else f"the games are {', '.join(names) or 'none'}"
        raise UsageError(f"{visible(tournament)}: no game {game!r} in these standings; {hint}")


def _faults_in(rows: Sequence[Row], entry: BotFaults) -> BotFaults:
    """Return a bot's faults in the pools of these rows, by the kinds of all its faults."""
    own = [row.faults for row in rows if row.bot == entry.bot]
    sums = {kind: sum(faults.get(kind, 0) for faults in own) for kind in entry.faults}
    faults = {kind: number for kind, number in sums.items() if number}
    return BotFaults(bot=entry.bot, faults=faults, total=sum(faults.values()))


def json(doc: Standings) -> str:
    """Return the document itself, in ASCII; its schema is that of `arena.tables.document`."""
    return dumps(to_builtins(doc), indent=1, allow_nan=False) + "\n"


TABLE_OF_A_LINE = (
    "tournament", "seed", "commitment", "confinement", "table", "game", "players", "options",
    "partners",
)  # fmt: skip
"""The first columns of a line of CSV: which table it is from."""

CSV = (
    Column("place", lambda row: str(row.place)),
    Column("first_place", lambda row: str(row.places[0]) if row.places else ""),
    Column("last_place", lambda row: str(row.places[1]) if row.places else ""),
    Column("mu", lambda row: _three(row.mu)),
    Column("mu_from", lambda row: _three(row.interval[0]) if row.interval else ""),
    Column("mu_to", lambda row: _three(row.interval[1]) if row.interval else ""),
    Column("duel", lambda row: _three(row.duel)),
    Column("better_than_next", lambda row: _three(row.better_than_next)),
    Column("first", lambda row: "" if row.first is None else str(row.first)),
    Column("sigma", lambda row: _three(row.sigma)),
    Column("low", lambda row: _three(row.low)),
    Column("wins", lambda row: _three(row.wins)),
    Column("score", lambda row: _three(row.score)),
    Column("games", lambda row: str(row.games)),
    Column("decks", lambda row: str(row.decks)),
    Column("faults_total", lambda row: str(row.faults_total)),
)
"""The numbers of a line, after its bot; after them come the faults, a column for each kind."""


def csv(doc: Standings, safe: bool = False) -> str:
    """Return every line of every table, one format for all; crosstables are in `json` alone.

    Names are as they are; if `safe`, with an apostrophe before what a spreadsheet might run.
    """
    shown = partial(escape.csv, safe=safe)
    text = StringIO()
    lines = writer(text, lineterminator="\n")
    kinds = layout.kinds(doc)
    titles = [column.title for column in CSV]
    lines.writerow([*TABLE_OF_A_LINE, "bot", *titles, *map(shown, kinds)])
    tables = [(("overall", "", "", "", ""), doc.overall)]
    tables += [(("game", game.game, "", "", ""), game.table) for game in doc.games]
    for pool in doc.pools:
        pool_of = ("pool", pool.game, str(pool.players), pool.options, pool.partners)
        tables.append((pool_of, pool.table))
    for table, rows in tables:
        start = (doc.name, doc.seed, doc.commitment or "", doc.confinement, *table)
        for row in rows:
            cells = [column.cell(row) for column in CSV]
            lines.writerow([*map(shown, (*start, row.bot)), *cells,
                            *(row.faults.get(kind, 0) for kind in kinds)])  # fmt: skip
    return text.getvalue()


def _three(value: float | None) -> str:
    """Return the value with its three decimals, nothing for none."""
    return "" if value is None else f"{value:.3f}"


def markdown(doc: Standings) -> str:
    """Return GitHub's Markdown."""
    return markdown_of(doc.name, layout.facts(doc), layout.tables(doc), layout.legend(doc))


def markdown_of(
    title: str, facts: Iterable[str], tables: Iterable[Table], notes: Iterable[str]
) -> str:
    """Return a page of GitHub's Markdown: a title, a list of facts, tables, and notes."""
    out = [f"# {escape.markdown(title)}", ""]
    out += [f"- {escape.markdown(fact)}" for fact in facts]
    for table in tables:
        out += ["", f"## {escape.markdown(table.title)}", ""]
        out += [line for note in table.notes for line in (escape.markdown(note), "")]
        out.append(_tabulated(table, "github", escape.markdown))
    out += [line for note in notes for line in ("", escape.markdown(note))]
    return "\n".join(out) + "\n"


def latex(doc: Standings) -> str:
    """Return a fragment for \\input, which says what its preamble needs."""
    out = ["% needs \\usepackage{booktabs} in the preamble"]
    out += [f"\\section*{{{escape.latex(doc.name)}}}", "\\begin{itemize}"]
    out += [f"\\item {escape.latex(fact)}" for fact in layout.facts(doc)]
    out.append("\\end{itemize}")
    for table in layout.tables(doc):
        out += ["", f"\\subsection*{{{escape.latex(table.title)}}}"]
        out += [f"\\noindent {escape.latex(note)}\\par" for note in table.notes]
        # tabulate escapes the cells; what it leaves are the ligatures.
        out += ["\\noindent", escape.unjoined(_tabulated(table, "latex_booktabs", visible))]
    out += [line for note in layout.legend(doc) for line in ("", escape.latex(note))]
    return "\n".join(out) + "\n"


def html(doc: Standings) -> str:
    """Return one page that needs nothing else: no script, no network, light and dark."""
    style = files("arena.tables").joinpath("page.css").read_text("utf-8")
    return page().render(
        doc=doc, layout=layout, caveats=caveats, spans=_spans, heat=_heat,
        style=style, style_hash=b64encode(sha256(style.encode()).digest()).decode(),
    )  # fmt: skip


@cache
def page() -> "Template":
    """Return the page's template, compiled."""
    from jinja2 import Environment, StrictUndefined

    env = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Text alone: what a macro made is a subclass of str, and markup already.
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    env.filters["whole"] = lambda share: f"{100 * share:.0f}"
    env.filters |= {
        name: getattr(layout, name)
        for name in ("two", "percent", "percent_drawn", "count", "places", "between")
    }
    return env.from_string(files("arena.tables").joinpath("page.html").read_text("utf-8"))


def _heat(share: float, even: float) -> str:
    """Return the attribute of a crosstable's cell, with a space before it: its class is the side of
    even that it is on, and how far, in tenths of `even`, at most 10; "" for even.
    """
    tenths = round(min(10 * abs(share - even) / even, 10))
    return f" class={'a' if share > even else 'b'}{tenths}" if tenths else ""


def _tabulated(table: Table, form: str, shown: Callable[[str], str]) -> str:
    """Return the table as tabulate lays it out, each cell and label as `shown` gives it."""
    return tabulate(
        [[shown(cell) for cell in row] for row in table.rows],
        [shown(cell) for cell in table.head],
        tablefmt=form,
        disable_numparse=True,
        colalign=table.aligned if table.rows else None,
    )


def _spans(rows: Sequence[Row]) -> list[tuple[float, float, float]]:
    """Return by row where interval and mu lie on the table's scale, in percent; an open end lies at
    the end of the scale.
    """
    ends = [row.interval or (row.mu, row.mu) for row in rows]
    known = [end for row, own in zip(rows, ends, strict=True) for end in (row.mu, *own)]
    least = min((end for end in known if end is not None), default=0.0)
    most = max((end for end in known if end is not None), default=1.0)

    def at(value: float) -> float:
        return round(100 * (value - least) / (most - least or 1.0), 1)

    return [
        (at(least if low is None else low), at(row.mu), at(most if high is None else high))
        for row, (low, high) in zip(rows, ends, strict=True)
    ]
