"""The standings in the formats of files, for people and programs.

Each function takes the document and returns the whole text. Every string of the document is taken
for hostile, names too, and goes through `arena.words`. What the terminal shows is made in
`arena.tables.terminal`, standings.html in `arena.tables.page`.
"""

from collections.abc import Callable, Iterable, Sequence
from csv import writer
from io import StringIO
from json import dumps
from typing import Annotated

from msgspec import UNSET, Struct, structs, to_builtins
from tabulate import tabulate

from arena import words
from arena.errors import UsageError
from arena.faults.kinds import KINDS
from arena.tables import layout, notes
from arena.tables.columns import Row, columns_in
from arena.tables.document import BotFaults, Standings
from arena.tables.layout import Table
from arena.tables.overview import headline
from arena.typed_json import First, means
from arena.words import break_ligatures, escape_csv, escape_latex, escape_markdown, visible


def select(doc: Standings, game: str | None) -> Standings:
    """Cut the document to one game (None: leave it whole), without an overall table and with the
    faults of that game alone. Raises UsageError if the game was not played.
    """
    if game is None:
        return doc
    check_game(doc.tournament, [entry.game for entry in doc.games], game)
    pools = tuple(pool for pool in doc.pools if pool.game == game)
    rows = [row for pool in pools for row in pool.table]
    entered = {row.bot for row in rows}
    bots = tuple(bot for bot in doc.bots if bot.name in entered)
    return structs.replace(
        doc,
        bots=bots,
        overall=(),
        majority_order=(),
        overall_comparisons=None,
        games=tuple(entry for entry in doc.games if entry.game == game),
        pools=pools,
        faults=tuple(_faults_in(rows, entry) for entry in doc.faults if entry.bot in entered),
        not_ranked=tuple(one for one in doc.not_ranked or () if one.bot in entered) or UNSET,
        not_loaded=tuple(one for one in doc.not_loaded or () if one.bot in entered) or UNSET,
    )


def check_game(tournament: str, names: Sequence[str], game: str) -> None:
    """Raise UsageError if the game is not one of those that were played."""
    if game not in names:
        near = words.nearest(game, names)
        hint = f"did you mean {near}?" if near else f"the games are {', '.join(names) or 'none'}"
        raise UsageError(f"{visible(tournament)}: no game {game!r} in these standings; {hint}")


def _faults_in(rows: Sequence[Row], entry: BotFaults) -> BotFaults:
    """Count a bot's faults in the pools of these rows, in the order of all its faults."""
    by_pool = [row.faults for row in rows if row.bot == entry.bot]
    sums = {kind: sum(faults.get(kind, 0) for faults in by_pool) for kind in entry.faults}
    faults = {kind: number for kind, number in sums.items() if number}
    return BotFaults(bot=entry.bot, faults=faults, total=sum(faults.values()))


def json(doc: Struct) -> str:
    """A document itself, in ASCII."""
    return dumps(to_builtins(doc), indent=1, allow_nan=False) + "\n"


class ShortRow(Struct, frozen=True, array_like=True):
    """A bot's line of a pool: bot, place (null where it has none), mu, the two ends of its 95 %
    interval (null for none), how often it beats another chosen at random, games, games forfeited.
    """

    bot: str
    place: int | None
    mu: float
    interval: tuple[float | None, float | None] | None
    beats: float | None
    games: int
    faults: int


class ShortPool(Struct, frozen=True, kw_only=True):
    """A pool's ranking."""

    pool: Annotated[str, means("Its title.")]
    rows: tuple[ShortRow, ...]


class Short(Struct, frozen=True, kw_only=True):
    """The standings in at most 100 characters a bot and pool, for a program, or a model, that has
    room for no more.
    """

    version: First = 1
    tournament: str
    headline: Annotated[str, means("The result in a sentence or two.")]
    pools: tuple[ShortPool, ...]


def short(doc: Standings) -> str:
    """The standings as JSON (`Short`), with a line for each bot and pool."""
    head = dumps({"version": 1, "tournament": doc.tournament, "headline": headline(doc)})
    pools = []
    for pool in doc.pools:
        rows = ",\n".join(dumps(to_builtins(_short_row(row))) for row in pool.table)
        pools.append(f'{{"pool": {dumps(pool.title)}, "rows": [\n{rows}]}}')
    joined = ",\n".join(pools)
    return f'{head[:-1]}, "pools": [\n{joined}]}}\n'


def _short_row(row: Row) -> ShortRow:
    low, high = row.interval or (None, None)
    ends = None if row.interval is None else (low and round(low, 1), high and round(high, 1))
    beats = row.beats and round(row.beats, 2)
    return ShortRow(
        bot=row.bot,
        place=row.place,
        mu=round(row.mu, 1),
        interval=ends,
        beats=beats,
        games=row.games,
        faults=row.faults_total,
    )


TABLE_OF_A_LINE = (
    "tournament", "seed", "commitment", "confinement", "table", "game", "players", "options",
    "partners",
)  # fmt: skip
"""The first columns of a line of CSV: which table it is from."""


def csv(doc: Standings) -> str:
    """All rows of all tables, in one format for all: table, bot, columns, status, missing pools,
    then faults by kind; crosstables are in `json` alone.

    Texts that a spreadsheet might run as a formula get an apostrophe in front.
    """
    tables = [(("overall", "", "", "", ""), doc.overall)]
    tables += [(("game", game.game, "", "", ""), game.table) for game in doc.games]
    for pool in doc.pools:
        pool_of = ("pool", pool.game, str(pool.players), pool.options, pool.partners)
        tables.append((pool_of, pool.table))
    columns = columns_in([row for _, rows in tables for row in rows])
    titles = [title for column in columns for title in column.csv_titles]
    heads = (*TABLE_OF_A_LINE, "bot", *titles, "status", "missing_pools", *KINDS)
    lines: list[Sequence[object]] = [heads]
    for table, rows in tables:
        start = (doc.tournament, doc.seed, doc.commitment or "", doc.confinement, *table)
        for row in rows:
            cells = [cell for column in columns for cell in column.csv_cells(row)]
            cells += [row.status, "; ".join(row.missing_pools or ())]
            faults = [row.faults.get(kind, 0) for kind in KINDS]
            texts = map(escape_csv, (*start, row.bot))
            lines.append((*texts, *cells, *faults))
    return csv_of(lines)


def csv_of(lines: Iterable[Sequence[object]]) -> str:
    """Lines as the text of a CSV file; None is an empty cell."""
    text = StringIO()
    writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def markdown(doc: Standings) -> str:
    """A page of GitHub's Markdown: the title, a list of facts, tables, and notes."""
    out = [f"# {escape_markdown(doc.tournament)}", ""]
    out += [f"- {escape_markdown(fact)}" for fact in (headline(doc), *notes.list_facts(doc))]
    for table in layout.tables(doc):
        out += ["", f"## {escape_markdown(table.title)}", ""]
        out += [line for note in table.notes for line in (escape_markdown(note), "")]
        out.append(_tabulate(table, "github", escape_markdown))
    out += [line for note in notes.legend(doc, bars=False) for line in ("", escape_markdown(note))]
    return "\n".join(out) + "\n"


def latex(doc: Standings) -> str:
    """The standings as a fragment for \\input, which says what its preamble needs."""
    out = ["% needs \\usepackage{booktabs} in the preamble"]
    out += [f"\\section*{{{escape_latex(doc.tournament)}}}", "\\begin{itemize}"]
    out += [f"\\item {escape_latex(fact)}" for fact in (headline(doc), *notes.list_facts(doc))]
    out.append("\\end{itemize}")
    for table in layout.tables(doc):
        out += ["", f"\\subsection*{{{escape_latex(table.title)}}}"]
        out += [f"\\noindent {escape_latex(note)}\\par" for note in table.notes]
        # tabulate escapes the cells; what it leaves are the ligatures.
        out += ["\\noindent", break_ligatures(_tabulate(table, "latex_booktabs", visible))]
    out += [line for note in notes.legend(doc, bars=False) for line in ("", escape_latex(note))]
    return "\n".join(out) + "\n"


def _tabulate(table: Table, form: str, shown: Callable[[str], str]) -> str:
    return tabulate(
        [[shown(cell) for cell in row] for row in table.rows],
        [shown(cell) for cell in table.head],
        tablefmt=form,
        disable_numparse=True,
        colalign=table.aligned if table.rows else None,
    )
