"""The standings in the formats that people and programs read.

Each function takes the document of `arena.tables.standings` and returns the whole text. Every
string of the document is taken for hostile, names too, and goes through `arena.escape`.
"""

from collections.abc import Callable, Sequence
from csv import writer
from difflib import get_close_matches
from importlib.resources import files
from io import StringIO
from json import dumps
from textwrap import wrap
from typing import Any

from tabulate import tabulate

from arena import escape
from arena.errors import UsageError
from arena.escape import visible
from arena.tables import layout
from arena.tables.layout import Document, Table

GIVES_WAY = ("low", "next", "group", "faults", "games", "score", "places")
"""The columns that a narrow terminal does without, those that say least first."""


def select(doc: Document, game: str | None) -> Document:
    """Return the document cut to one game (None: as it is), with no overall table and the faults
    of that game alone. Raises UsageError if the game was not played.
    """
    if game is None:
        return doc
    names = [entry["game"] for entry in doc["games"]]
    if game not in names:
        near = get_close_matches(game, names, 1, 0.5)
        hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(names) or 'none'}"
        raise UsageError(f"{visible(doc['name'])}: no game {game!r} in these standings; {hint}")
    pools = [pool for pool in doc["pools"] if pool["game"] == game]
    rows = [row for pool in pools for row in pool["table"]]
    entered = {row["bot"] for row in rows}
    faults = []
    for entry in doc["faults"]:
        own = [row["faults"] for row in rows if row["bot"] == entry["bot"]]
        sums = {kind: sum(f.get(kind, 0) for f in own) for kind in entry["faults"]}
        kinds = {kind: count for kind, count in sums.items() if count}
        if entry["bot"] in entered:
            faults.append({"bot": entry["bot"], "faults": kinds, "total": sum(kinds.values())})
    return {
        **doc,
        "bots": [bot for bot in doc["bots"] if bot["name"] in entered],
        "overall": [],
        "games": [entry for entry in doc["games"] if entry["game"] == game],
        "pools": pools,
        "faults": faults,
    }


def json(doc: Document) -> str:
    """Return the document itself, in ASCII."""
    return dumps(doc, indent=1, allow_nan=False) + "\n"


def csv(doc: Document) -> str:
    """Return every line of every table, one format for all; crosstables are in `json` alone.

    Text that a spreadsheet would take for a formula gets a leading apostrophe.
    """
    ends = {"places": ("first_place", "last_place"), "interval": ("mu_from", "mu_to")}
    numbers = (
        "place", "places", "group", "mu", "interval", "better_than_next", "sigma", "low", "wins",
        "score", "games", "decks", "faults_total",
    )  # fmt: skip
    kinds = layout.kinds(doc)
    out = StringIO()
    lines = writer(out, lineterminator="\n")
    head = ["tournament", "seed", "confinement", "table", "game", "players", "options", "partners"]
    heads = [name for number in numbers for name in ends.get(number, (number,))]
    lines.writerow([*head, "bot", *heads, *map(escape.csv, kinds)])
    blocks = [(("overall", "", "", "", ""), doc["overall"])]
    blocks += [(("game", entry["game"], "", "", ""), entry["table"]) for entry in doc["games"]]
    for pool in doc["pools"]:
        what = ("pool", pool["game"], str(pool["players"]), pool["options"], pool["partners"])
        blocks.append((what, pool["table"]))
    for what, rows in blocks:
        start = [escape.csv(text) for text in (doc["name"], doc["seed"], doc["confinement"], *what)]
        for row in rows:
            cells = [
                cell
                for number in numbers
                for cell in (row[number] or ("", "") if number in ends else (row[number],))
            ]
            values = [f"{cell:.3f}" if type(cell) is float else cell for cell in cells]
            values += [row["faults"].get(kind, 0) for kind in kinds]
            lines.writerow([*start, escape.csv(row["bot"]), *values])
    return out.getvalue()


def markdown(doc: Document) -> str:
    """Return GitHub's Markdown."""
    out = [f"# {escape.markdown(doc['name'])}", ""]
    out += [f"- {escape.markdown(fact)}" for fact in layout.facts(doc)]
    for table in layout.tables(doc):
        out += ["", f"## {escape.markdown(table.title)}", ""]
        out += [line for note in table.notes for line in (escape.markdown(note), "")]
        out.append(_layout(table, "github", escape.markdown))
    out += [line for note in layout.legend(doc) for line in ("", escape.markdown(note))]
    return "\n".join(out) + "\n"


def latex(doc: Document) -> str:
    """Return a fragment for \\input; the preamble must load booktabs."""
    out = [f"\\section*{{{escape.latex(doc['name'])}}}", "\\begin{itemize}"]
    out += [f"\\item {escape.latex(fact)}" for fact in layout.facts(doc)]
    out.append("\\end{itemize}")
    for table in layout.tables(doc):
        out += ["", f"\\subsection*{{{escape.latex(table.title)}}}"]
        out += [f"\\noindent {escape.latex(note)}\\par" for note in table.notes]
        # tabulate escapes the cells; what it leaves are the ligatures.
        out += ["\\noindent", escape.unjoined(_layout(table, "latex_booktabs", visible))]
    out += [line for note in layout.legend(doc) for line in ("", escape.latex(note))]
    return "\n".join(out) + "\n"


def html(doc: Document) -> str:
    """Return one page that needs nothing else: no script, no network, light and dark."""
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
    env.filters |= {
        name: getattr(layout, name) for name in ("two", "percent", "count", "places", "between")
    }
    page = env.from_string(files("arena.tables").joinpath("page.html").read_text("utf-8"))
    return page.render(doc=doc, layout=layout, spans=_spans)


def plain(doc: Document, width: int = 80) -> str:
    """Return what the terminal shows, in lines of at most `width` (60 or more) characters.

    Overall, then by game, then by pool, then the faults if there are any. Where a table is too
    wide, the columns that say least are left out, then names are cut.
    """
    out = [line for fact in (doc["name"], *layout.facts(doc)) for line in _wrapped(fact, width)]
    rankings = [_fitting(table, width) for table in layout.summaries(doc)]
    for table in rankings:
        out += _section(table, width)
    for entry in doc["games"]:
        pools = [pool for pool in doc["pools"] if pool["game"] == entry["game"]]
        if len(pools) == 1:
            note = layout.pool_note(pools[0])
            table = _fitting(layout.ranking(pools[0]["title"], pools[0]["table"], note), width)
            rankings.append(table)
            out += _section(table, width)
        else:
            out += _by_pool(entry, pools, width)
    left_out = {*GIVES_WAY} - {label for table in rankings for label in table.head}
    out += ["", *(line for note in layout.legend(doc, left_out) for line in _wrapped(note, width))]
    faulty = [entry for entry in doc["faults"] if entry["total"]]
    out += ["", "Faults"] if faulty else []
    for entry in faulty:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in entry["faults"].items())
        out += _wrapped(f"{entry['bot']}: {kinds}", width)
    return "\n".join(out) + "\n"


def _layout(table: Table, form: str, shown: Callable[[str], str]) -> str:
    """Return the table as tabulate lays it out, each cell and label as `shown` gives it."""
    return tabulate(
        [[shown(cell) for cell in row] for row in table.rows],
        [shown(cell) for cell in table.head],
        tablefmt=form,
        disable_numparse=True,
        colalign=_aligned(table) if table.rows else None,
    )


def _aligned(table: Table) -> list[str]:
    return ["left" if label == "bot" else "right" for label in table.head]


def _section(table: Table, width: int) -> list[str]:
    """Return a table that fits for the terminal: an empty line, its title, lines and notes."""
    out = ["", *_wrapped(table.title, width), *_lines(table)]
    return out + [line for note in table.notes for line in _wrapped(note, width)]


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(visible(text), width, subsequent_indent="  ", break_on_hyphens=False)


def _fitting(table: Table, width: int) -> Table:
    """Return a table without what is too wide for the terminal."""
    for least in (None, *GIVES_WAY):
        keep = [index for index, label in enumerate(table.head) if label != least]
        rows = [tuple(row[index] for index in keep) for row in table.rows]
        table = table._replace(head=tuple(table.head[index] for index in keep), rows=rows)
        too_wide = len(_lines(table)[0]) - width
        if too_wide <= 0:
            return table
    at = table.head.index("bot")
    room = max(len(visible(row[at])) for row in table.rows) - too_wide
    rows = [(*row[:at], _cut(visible(row[at]), room), *row[at + 1 :]) for row in table.rows]
    return table._replace(rows=rows)


def _lines(table: Table) -> list[str]:
    """Return the lines of a table, all of one length, the head underlined."""
    # The head goes in as a row: as a head tabulate would give it room to spare.
    text = tabulate(
        [[visible(cell) for cell in row] for row in (table.head, *table.rows)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=_aligned(table),
    )
    lines = text.splitlines()
    return [lines[0], "-" * len(lines[0]), *lines[1:]]


def _by_pool(entry: dict[str, Any], pools: Sequence[dict[str, Any]], width: int) -> list[str]:
    """Return the ratings of a game by bot and pool, and a line on each pool.

    In as many blocks of columns as it takes.
    """
    labels = _labels(pools)
    ratings = [{row["bot"]: _rating(row) for row in pool["table"]} for pool in pools]
    ranked = [row["bot"] for row in entry["table"]]
    bots = [*ranked, *sorted({bot for own in ratings for bot in own} - {*ranked})]
    room = max((len(visible(bot)) for bot in bots), default=0)
    columns = max(1, (width - min(room, 32)) // (2 + max(11, *map(len, labels))))
    out: list[str] = []
    for start in range(0, len(pools), columns):
        block = slice(start, start + columns)
        rows = [(bot, *(own.get(bot, "-") for own in ratings[block])) for bot in bots]
        title = f"{entry['game']}: ratings by pool"
        out += _section(_fitting(Table(title, (), ("bot", *labels[block]), rows), width), width)
    for label, pool in zip(labels, pools, strict=True):
        options = "" if pool["options"] == "{}" else f" {pool['options']}"
        out += _wrapped(f"{label}{options}: {layout.pool_note(pool)}", width)
    return out


def _labels(pools: Sequence[dict[str, Any]]) -> list[str]:
    """Return a short name for each pool of one game: `3p`, and `3p 1`, `3p 2` where two have it."""
    teams = {"": "", "same": "2v2"}
    short = [teams.get(p["partners"], f"2v2 {p['partners']}") or f"{p['players']}p" for p in pools]
    return [
        f"{label} {short[: index + 1].count(label)}" if short.count(label) > 1 else label
        for index, label in enumerate(short)
    ]


def _rating(row: dict[str, Any]) -> str:
    """Return a rating with its interval: `29.86 ±0.41`."""
    return layout.two(row["mu"]) + (f" ±{layout.reach(row)}" if row["interval"] else "")


def _spans(rows: Sequence[dict[str, Any]]) -> list[tuple[float, float, float]]:
    """Return by row where interval and mu lie on the table's scale, in percent."""
    ends = [row["interval"] or (row["mu"], row["mu"]) for row in rows]
    least = min((low for low, _ in ends), default=0.0)
    width = max((high for _, high in ends), default=1.0) - least or 1.0

    def at(value: float) -> float:
        return round(100 * (value - least) / width, 1)

    return [(at(low), at(row["mu"]), at(high)) for row, (low, high) in zip(rows, ends, strict=True)]


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 2, 1)] + ".."
