"""What moved from one league to another, for people and programs. Pure.

Every string is taken for hostile, and goes through `arena.escape`.
"""

from collections.abc import Iterator
from csv import writer
from functools import partial
from io import StringIO
from json import dumps

from msgspec import to_builtins

from arena import escape
from arena.model import LEAST_DECKS
from arena.tables import formats, terminal
from arena.tables.against import Against, BotMove, MoveTable
from arena.tables.layout import Table
from arena.tables.values import two
from arena.words import amount

HEAD = ("bot", "then", "now", "change", "±", "verdict")
LEGEND = (
    "then, now: places; change: of the rating; ±: half its 95 % interval, which holds for all bots "
    "of a table together; up, down: more than luck, for the interval has no 0 in it.",
    "Both leagues are taken for independent: where they played the same deals or share games, "
    "intervals are rather too wide. Places are those of each league's own table.",
)
CSV = (
    "tournament", "against", "table", "title", "bot", "status", "place_then", "place_now",
    "difference", "from", "to", "verdict",
)  # fmt: skip


def plain(moved: Against, width: int = 80) -> str:
    """The comparison for the terminal, in lines of at most `width` (60 or more) characters."""
    return terminal.sheet(title_of(moved), facts(moved), tables(moved), LEGEND, width)


def markdown(moved: Against) -> str:
    """The comparison as GitHub's Markdown."""
    return formats.markdown_of(title_of(moved), facts(moved), tables(moved), LEGEND)


def json(moved: Against) -> str:
    """The document itself, in ASCII."""
    return dumps(to_builtins(moved), indent=1, allow_nan=False) + "\n"


def csv(moved: Against, safe: bool = False) -> str:
    """The comparison as CSV, a line for each bot in each table. With `safe`, names that a
    spreadsheet might run as a formula get an apostrophe in front.
    """
    shown = partial(escape.csv, safe=safe)
    text = StringIO()
    lines = writer(text, lineterminator="\n")
    lines.writerow(CSV)
    for table in both(moved):
        for move in table.moves:
            texts = (moved.name, moved.old, table.table, table.title, move.bot)
            numbers = (move.difference, *(move.interval or (None, None)))
            lines.writerow(
                [*map(shown, texts), move.status, move.then, move.now,
                 *("" if number is None else f"{number:.3f}" for number in numbers), move.verdict]
            )  # fmt: skip
    return text.getvalue()


def facts(moved: Against) -> list[str]:
    """Bots and pools that are new, gone or changed: a line for each list that is not empty."""
    lists = {
        "new bots": moved.new,
        "bots gone": moved.gone,
        "bots of another content": moved.changed,
        "new pools": moved.new_pools,
        "pools gone": moved.gone_pools,
    }
    return [f"{what}: {', '.join(names)}" for what, names in lists.items() if names]


def tables(moved: Against) -> list[Table]:
    """All tables, from the widest view to the closest."""
    return [
        Table(table.title, tuple(notes(table)), HEAD, [cells(move) for move in table.moves])
        for table in both(moved)
    ]


def title_of(moved: Against) -> str:
    """The heading: which league is compared with which."""
    return f"{moved.name} against {moved.old}"


def both(moved: Against) -> list[MoveTable]:
    """The document's tables, from the widest view to the closest: overall, by game, by pool."""
    return [*([moved.overall] if moved.overall else []), *moved.games, *moved.pools]


def notes(table: MoveTable) -> Iterator[str]:
    """The notes below a table: what its ratings are measured from, why an interval is missing."""
    yield _measured_from(table)
    if any(move.interval is None for move in table.moves if move.difference is not None):
        yield f"No interval where a bot played on fewer than {LEAST_DECKS} decks."


def _measured_from(table: MoveTable) -> str:
    if table.table != "pool":
        return "Each pool's ratings are measured as its own table says."
    if not table.reference:
        return "No bot is in both, so nothing can be compared."
    if table.anchored:
        return f"Ratings are measured from {table.reference[0]}, the anchor of both."
    if len(table.reference) <= 3:
        return f"Ratings are measured from {', '.join(table.reference)}."
    return f"Ratings are measured from the mean of {amount(len(table.reference), 'bot')} in both."


def cells(move: BotMove) -> tuple[str, ...]:
    """A move's cells as people read them, one for each column of `HEAD`."""
    reach = "-" if move.interval is None else two((move.interval[1] - move.interval[0]) / 2)
    words: list[str] = [] if move.status == "same" else [move.status]
    if move.verdict in ("up", "down"):
        words.append(move.verdict)
    change = "-" if move.difference is None else two(move.difference)
    return (
        move.bot,
        _place(move.then),
        _place(move.now),
        change if change.startswith("-") or move.difference == 0 else f"+{change}",
        reach,
        ", ".join(words),
    )


def _place(place: int | None) -> str:
    return "-" if place is None else str(place)
