"""Tables that fit a terminal: the standings, CPU times, and any other table, in lines of its width.

Where a table is too wide, columns are left out, then names are cut; or texts go on in further
lines. Every string is taken for hostile, names too, and goes through `arena.words`. Pure.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap

from tabulate import tabulate

from arena.faults.kinds import name_kind
from arena.model import Limits, Timing
from arena.tables import layout, notes, overview
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.layout import Table
from arena.tables.overview import Listing, Part
from arena.words import short_duration, visible

BOTS_TIMED = 10  # those nearest their limit
NEAR, SLOW = 0.5, 3  # at the end of a run, of those that used half of their limit three are named
EASY, LEAST = 24, 8
"""Characters that a column keeps whose texts go on in further lines: while other columns can be
left out, and at the least."""
ROOM = ((24, 20), (18, 20), (12, 20), (12, 7), (8, 7), (8, 5))
"""Characters of a bar, and most of a word in headings: the first pair that fits is taken."""


def first_screen(
    doc: Standings, width: int = 80, ascii: bool = False, before: Part | None = None
) -> str:
    """The first table for the end of a run, in lines of at most `width` (60 or more) characters:
    who won, how sure that is, and each bot's place in each game.
    """
    out = [*wrap_texts((overview.headline(doc),), width), ""]
    table, *_ = [*overview.list_tables(doc, before), None]
    if table and doc.has_games:
        out += [*_fitted_ranking(table, width, ascii), *wrap_texts(table.notes.plain, width), ""]
    return "\n".join([*out, *wrap_texts(notes.legend(doc, first=True), width)]) + "\n"


def plain(
    doc: Standings,
    width: int = 80,
    ascii: bool = False,
    before: Part | None = None,
    every: bool = False,
) -> str:
    """The standings for the terminal, in lines of at most `width` (60 or more) characters.

    Who won in a sentence, then all tables: overall, by game, by pool, and the faults if there are
    any. With `every`, tables have all columns, in as many blocks as it takes, and all notes.
    """
    out = wrap_texts((doc.tournament, overview.headline(doc), *notes.list_facts(doc)), width)
    for listing in overview.list_tables(doc, before):
        out += ["", *wrap_texts([listing.title], width)]
        if every:
            _, bar = _draw(listing, min(ROOM[0][0], width // 5), ascii)
            table = layout.ranking(listing, bar)
            for number, block in enumerate(_blocks(table, width)):
                out += [*([""] if number else []), *lines(block)]
            out += wrap_texts(table.notes, width)
        else:
            out += _fitted_ranking(listing, width, ascii)
            out += wrap_texts(listing.notes.plain, width)
    out += ["", *wrap_texts(notes.legend(doc, first=not every), width)]
    faulty = [entry for entry in doc.faults if entry.total]
    out += ["", "Faults"] if faulty else []
    for entry in faulty:
        kinds = ", ".join(f"{name_kind(kind)} {count:,}" for kind, count in entry.faults.items())
        out += wrap_texts([f"{entry.bot}: {kinds}"], width)
    return "\n".join(out) + "\n"


def wrap_texts(texts: Iterable[str], width: int) -> list[str]:
    """Wrap each text, so that no line begins with the sign of a percentage."""
    out = []
    for text in texts:
        joined = visible(text).replace(" %", "\N{NO-BREAK SPACE}%")
        out += wrap(joined, width, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}%", " %") for line in out]


def _fitted_ranking(listing: Listing, width: int, ascii: bool) -> list[str]:
    """The first columns of a table of places: with a shorter bar, shorter headings and shorter
    names where it is too wide. Before its first game it would tell ratings of nothing.
    """
    if not any(row.games for row in listing.rows):
        return ["No games."]
    for bar, word in ROOM:
        title, draw = _draw(listing, bar, ascii)
        table = layout.ranking(listing, draw, every=False)
        titles = (title if label == "strength" else _stack(label, word) for label in table.head)
        table = table._replace(head=tuple(titles))
        if _excess(table, width) <= 0:
            break
    return lines(_with_cut_names(table, width))


def _stack(title: str, most: int) -> str:
    """A heading with a word a line, each of so many characters at most."""
    words = (word if len(word) <= most else f"{word[: most - 1]}." for word in title.split())
    return "\n".join(words)


def _draw(listing: Listing, room: int, ascii: bool) -> tuple[str, Callable[[Row], str]]:
    """The heading of a column of bars, which names both ends of their scale, and what draws a bar
    of so many characters: the interval as a line, the rating as a point on it.
    """
    track, dash, dot = ".-o" if ascii else "·─●"
    known = [end for row in listing.drawn for end in (row.mu, *(row.interval or ()))]
    ends = [end for end in known if end is not None]
    least, most = (min(ends, default=0.0), max(ends, default=1.0))

    def at(value: float) -> int:
        return round((room - 1) * (value - least) / (most - least)) if most > least else 0

    def bar(row: Row) -> str:
        if row.interval is None:
            return "?".center(room, track)
        low, high = row.interval
        first, last = at(least if low is None else low), at(most if high is None else high)
        line = (track * first + dash * (last - first + 1)).ljust(room, track)
        return line[: at(row.mu)] + dot + line[at(row.mu) + 1 :]

    numbers = f"{least:.0f}", f"{most:.0f}"
    return f"strength\n{numbers[0]}{numbers[1]:>{room - len(numbers[0])}}", bar


def _blocks(table: Table, width: int) -> Iterator[Table]:
    """Cut a table into blocks of columns that fit, each with the first two: place and bot."""
    cells = [
        [visible(row[at]) for row in (table.head, *table.rows)] for at in range(len(table.head))
    ]
    wide = [2 + max(map(len, column)) for column in cells]
    at = 2
    while at < len(wide):
        to, used = at + 1, wide[0] + wide[1] + wide[at] - 2
        while to < len(wide) and used + wide[to] <= width:
            used += wide[to]
            to += 1
        yield _of_columns(table, (0, 1, *range(at, to)))
        at = to


def _with_cut_names(table: Table, width: int) -> Table:
    excess = _excess(table, width)
    if excess <= 0:
        return table
    at = table.head.index("bot")
    names = [visible(row[at]) for row in table.rows]
    room = max(map(len, names), default=0) - excess
    cut = (name if len(name) <= room else name[: max(room - 2, 1)] + ".." for name in names)
    rows = [(*row[:at], name, *row[at + 1 :]) for row, name in zip(table.rows, cut, strict=True)]
    return table._replace(rows=rows)


def cpu_times(timings: Sequence[Timing], limits: Limits, late: Mapping[str, int]) -> str:
    """A table of the bots that used most of their limit, all pools together; empty if none decided.

    `late` is how many games each bot forfeited for its time. Such bots come first, since what they
    used when they were stopped is in no batch.
    """
    rows = []
    for bot, worst_s in _worst_times(timings, late):
        its = [timing for timing in timings if timing.bot == bot]
        cpu_s, decisions = sum(one.cpu_s for one in its), sum(one.decisions for one in its)
        if decisions or late.get(bot):
            mean = short_duration(cpu_s / decisions) if decisions else "-"
            rows.append(
                (bot, f"{late.get(bot, 0):,}", short_duration(worst_s) if worst_s else "-", mean)
            )
    if not rows:
        return ""
    head = ("bot", "time faults", "worst batch", "mean with loading")
    table = Table("", (), head, rows[:BOTS_TIMED])
    if not any(late.values()):
        table = _without(table, "time faults")
    out = [f"CPU time per decision, limit {limits.cpu_ms} ms:", *lines(table)]
    if len(rows) > BOTS_TIMED:
        out.append(f"and {len(rows) - BOTS_TIMED} more, in timing.csv")
    return "\n".join(out)


def warn_of_time(timings: Iterable[Timing], limits: Limits) -> str:
    """A line that names the bots that used half of their limit or more; "" without any."""
    near_s = NEAR * limits.cpu_ms / 1000
    close = [(bot, used) for bot, used in _worst_times(timings) if used >= near_s]
    if not close:
        return ""
    named = ", ".join(f"{visible(bot)} {short_duration(used)}" for bot, used in close[:SLOW])
    more = f" and {len(close) - SLOW} more" if len(close) > SLOW else ""
    return f"Near the limit of {limits.cpu_ms} ms per decision: {named}{more}"


def _worst_times(
    timings: Iterable[Timing], late: Mapping[str, int] = {}
) -> list[tuple[str, float]]:
    """The bots with their worst batch of all pools: most time faults first, then the slowest."""
    worst: dict[str, float] = {}
    for timing in timings:
        worst[timing.bot] = max(worst.get(timing.bot, 0.0), timing.worst_s)
    return sorted(worst.items(), key=lambda used: (-late.get(used[0], 0), -used[1], used[0]))


def lines(table: Table) -> list[str]:
    """A table's lines, the head underlined, as are the rows above those unranked; all of one length
    if the last column holds numbers.
    """
    stacks = [title.split("\n") for title in table.head]  # only titles of our own have several
    high = max(map(len, stacks), default=1)
    heads = zip(*([""] * (high - len(stack)) + stack for stack in stacks), strict=True)
    # The head goes in as rows: as a head tabulate would give it room to spare.
    text = tabulate(
        [[visible(cell) for cell in row] for row in (*heads, *table.rows)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=table.aligned,
    )
    lines = text.splitlines()
    rule = "-" * max(map(len, lines))
    lines.insert(high, rule)
    if table.unranked:
        lines.insert(len(lines) - table.unranked, rule)
    return lines


def _excess(table: Table, width: int) -> int:
    """The characters by which the longest line is too long; 0 or less if the table fits."""
    return max(map(len, lines(table))) - width


def _without(table: Table, label: str) -> Table:
    return _of_columns(table, [at for at, title in enumerate(table.head) if title != label])


def _of_columns(table: Table, keep: Sequence[int]) -> Table:
    head, *rows = (tuple(line[at] for at in keep) for line in (table.head, *table.rows))
    return table._replace(head=head, rows=rows)


def fit_whole_texts(
    heads: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    width: int,
    gives_way: Sequence[str],
    texts: Collection[str],
) -> list[str]:
    """A table's lines with no text cut: those of the columns `texts` go on in further lines. Where
    they would be too narrow to read, the columns `gives_way` are left out, and the last line says
    so.
    """
    table = Table("", (), tuple(heads), rows)
    room = _room(table, texts)
    spare = sum(max(0, wide - EASY) for wide in room.values())
    shown = table
    for label in gives_way:
        if _excess(shown, width + spare) > 0:
            shown = _without(shown, label)
    missing = [label for label in table.head if label not in shown.head]
    note = [f"left out at this width: {', '.join(missing)}; --json shows all"] if missing else []
    return [*lines(_narrow(shown, width, texts)), *note]


def _room(table: Table, texts: Collection[str]) -> dict[int, int]:
    """The widths of the columns of texts, by their index."""
    return {
        at: max(len(visible(row[at])) for row in (table.head, *table.rows))
        for at, label in enumerate(table.head)
        if label in texts
    }


def _narrow(table: Table, width: int, texts: Collection[str]) -> Table:
    """Narrow the widest columns of texts, to `LEAST` characters at least, until the table fits."""
    room, excess = _room(table, texts), _excess(table, width)
    while excess > 0 and max(room.values(), default=0) > LEAST:
        room[max(room, key=room.__getitem__)] -= 1
        excess -= 1
    rows: list[tuple[str, ...]] = []
    for row in table.rows:
        parts = [
            wrap(visible(cell), room[at], break_on_hyphens=False) if at in room else [cell]
            for at, cell in enumerate(row)
        ]
        rows += zip_longest(*parts, fillvalue="")
    return table._replace(rows=rows)
