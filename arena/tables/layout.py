"""The standings as tables of plain strings and the notes beside them: what every format shows,
before any escaping. Pure.
"""

from collections import Counter
from collections.abc import Container, Sequence
from typing import NamedTuple

from arena.model import FAULTS, FEW_DECKS, LEAST_DECKS
from arena.tables.columns import COLUMNS, Row, columns_of
from arena.tables.document import AnchorPoint, Fit, Names, PoolTable, SettleTest, Standings
from arena.tables.values import Counts, Shares, adding_up, count, in_prose, percent
from arena.words import amount
from games import title as game_title

CROSSTABLE_NOTES = {
    "ahead": "How often the row's bot finished ahead of the column's, a tie half (and in how many "
    "games).",
    "wins": "How often the row's bot won with the column's against it (and in how many games).",
    "left": "How often the row's bot won with the column's to its left, who plays next (of how "
    "many).",
}

PLACES_APART = 3
"""A bot is named where its places by rating and by majority differ by so many."""
SHOWN = 3  # bots named, at most

TEXTS = ("bot", "pool", "verdict", "and")
"""The columns that hold texts, in any table."""


class Table(NamedTuple):
    """A table of strings, not yet escaped."""

    title: str
    notes: tuple[str, ...]
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    @property
    def aligned(self) -> list[str]:
        """How its columns are aligned, as tabulate has it: texts to the left, numbers right."""
        return ["left" if label in TEXTS else "right" for label in self.head]


def list_facts(doc: Standings) -> list[str]:
    """What every format says beside the tables: size, seed, commitment, confinement and anchors."""
    seed = "given, deals not secret" if doc.seed == "given" else doc.seed
    games = sum(pool.games for pool in doc.pools)
    size = f"{amount(len(doc.bots), 'bot')}, {amount(games, 'game')}"
    committed = [f"commitment: {doc.commitment}"] if doc.commitment else []
    walls = f"confinement: {doc.confinement}"
    return [size, f"seed: {seed}", *committed, walls, *describe_anchors(doc)]


def tables(doc: Standings) -> list[Table]:
    """All tables, from the widest view to the closest."""
    out = summaries(doc)
    for pool in doc.pools:
        out.append(ranking(pool.title, pool.table, pool_note(pool)))
        out += [seats(pool), *crosstables(pool)]
    return out + faults(doc)


def summaries(doc: Standings) -> list[Table]:
    """The overall table and those of games, without those that would repeat another."""
    out = []
    if len(doc.games) > 1:
        left = unlisted(doc)
        note = (f"Not listed, for not entering every game: {', '.join(left)}.",) if left else ()
        out.append(ranking("Overall", doc.overall, *note, *describe_orders(doc)))
    notes = describe_orders(doc) if len(doc.games) == 1 else []
    return out + [
        ranking(game_title(game.game), game.table, *notes) for game in doc.games if game.pools > 1
    ]


def ranking(title: str, rows: Sequence[Row], *notes: str) -> Table:
    """A table of places, without scores where there are none."""
    columns = [column for column in columns_of(rows) if column.cell]
    return Table(
        title,
        (*notes, *evidence(rows)),
        tuple(column.title for column in columns),
        [tuple(column.text(row) for column in columns) for row in rows],
    )


def evidence(rows: Sequence[Row]) -> list[str]:
    """Warnings to readers of a table's intervals: missing, rough or open. A pool's own note says
    which of its bots won or lost all.
    """
    of_pool = any(row.score is not None for row in rows)
    notes = [] if of_pool else [f"{words}." for words in one_sided(rows, " games of a pool")]
    without = [row.bot for row in rows if row.interval is None]
    if without:
        names = ", ".join(dict.fromkeys(without))  # a bot's own page has it in several rows
        whose = "" if len(without) == len(rows) else f" for {names}"
        why = f"on fewer than {LEAST_DECKS} decks they would mean nothing"
        return [*notes, f"No intervals{whose}: {why}."]
    if any(row.decks < FEW_DECKS for row in rows):
        return [*notes, f"Intervals are rough: some bots played fewer than {FEW_DECKS} decks."]
    return notes


def one_sided(rows: Sequence[Row], where: str) -> list[str]:
    """The words on bots whose interval is open: `a won all games of a pool: ...`."""
    won = [row.bot for row in rows if row.interval and row.interval[1] is None]
    lost = [row.bot for row in rows if row.interval and row.interval[0] is None]
    said = ((won, "won all", "upper"), (lost, "lost all", "lower"))
    return [
        f"{', '.join(bots)} {what}{where}: no {end} end of the rating is known"
        for bots, what, end in said
        if bots
    ]


def seats(pool: PoolTable) -> Table:
    """The table of wins by seat."""
    rows = []
    for number, (seat, wins) in enumerate(zip(pool.seats, wins_by_seat(pool), strict=True)):
        ends = " to ".join(map(percent, seat.interval)) if seat.interval else "-"
        rows.append((str(number), percent(wins), ends))
    return Table(f"{pool.title}: wins by seat", (), ("seat", "wins", "95 %"), rows)


def wins_by_seat(pool: PoolTable) -> list[float | None]:
    """The share of games that each seat won, as readers see it: all sides add up to 100.0 %. None
    without games.
    """
    wins = [seat.wins for seat in pool.seats if seat.wins is not None]
    if not wins:
        return [None] * len(pool.seats)
    teams = 2 if pool.partners else 1  # partners sit opposite, and have their team's wins both
    return [*adding_up(wins[: len(wins) // teams])] * teams


def crosstables(pool: PoolTable) -> list[Table]:
    """The tables by two bots, without those that would repeat another."""
    bots, out = pool.crosstable.bots, []
    head = ("", "bot", *(str(number) for number in range(1, len(bots) + 1)))
    for what, title, shares, games in results_by_two(pool):
        rows = []
        for number, bot in enumerate(bots):
            of_row = zip(shares[number], games[number], strict=True)
            cells = (f"{percent(share)} ({count(met)})" if met else "-" for share, met in of_row)
            rows.append((str(number + 1), bot, *cells))
        title = f"{pool.title}: {title[:1].lower()}{title[1:]}"
        out.append(Table(title, (CROSSTABLE_NOTES[what],), head, rows))
    return out


def results_by_two(pool: PoolTable) -> list[tuple[str, str, Shares, Counts]]:
    """A pool's crosstables: a word for what each tells, its title, shares and games.

    Who finished ahead of whom; then, with three sides or more, wins by opponent and by left
    neighbour. With two sides these would say the same again.
    """
    cross = pool.crosstable
    out = [("ahead", "Finished ahead of", cross.ahead, cross.games)]
    if cross.left_wins and cross.left_games:
        out.append(("wins", "Wins by opponent", cross.wins, cross.games))
        out.append(("left", "Wins by left neighbour", cross.left_wins, cross.left_games))
    return out


def faults(doc: Standings) -> list[Table]:
    """The table of faults, if there are any."""
    faulty = [entry for entry in doc.faults if entry.total]
    seen = [kind for kind in kinds(doc) if any(kind in entry.faults for entry in faulty)]
    rows = [
        (entry.bot, *(count(entry.faults.get(kind, 0)) for kind in seen), count(entry.total))
        for entry in faulty
    ]
    return [Table("Faults", (), ("bot", *seen, "total"), rows)] if rows else []


def unlisted(doc: Standings) -> list[str]:
    """The names of the bots that are not in the overall table."""
    listed = {row.bot for row in doc.overall}
    return [bot.name for bot in doc.bots if bot.name not in listed]


def pool_note(pool: PoolTable) -> str:
    """What a pool's table leaves out: games, decks, ties, anchor, seats, doubts about ratings."""
    notes = [f"{amount(pool.games, 'game')} on {amount(pool.decks, 'deck')}"]
    if pool.draw_probability is not None:
        sides = "teams" if pool.partners == "mixed" else "bots"
        notes.append(f"two equal {sides} would tie {in_prose(pool.draw_probability)} of games")
    if pool.anchor:
        notes.append(describe_anchor(pool.anchor))
    if not pool.converged:
        notes.append("its ratings had not come to rest, so they are rough")
    if pool.games:
        notes.append(f"wins by seat: {', '.join(map(in_prose, wins_by_seat(pool)))}")
    if pool.line_ups_not_played:
        number = amount(pool.line_ups_not_played, "line-up")
        notes.append(f"not played: {number} of bots that do not load")
    if pool.partners == "mixed" and any(row.faults_total for row in pool.table):
        notes.append("a forfeit costs the partner the game too")
    if doubtful := one_sided(pool.table, ""):
        notes += doubtful
        if len(pool.table) > 2 and not pool.anchor:
            notes[-1] += (
                ", nor quite where the mean is: measure from an anchor to be surer of the others"
            )
    if pool.fit and (doubt := describe_fit(pool.fit)):
        notes.append(doubt)
    if pool.settle:
        notes.append(describe_test(pool.settle))
    return "; ".join(notes)


def legend(doc: Standings, left_out: Container[str] = ()) -> list[str]:
    """What the rankings' columns mean whose titles do not say it, except those left out; and which
    bots are identical.
    """
    if not doc.pools:
        return []
    words = meanings(doc)
    titles = [column.title for column in COLUMNS if column.in_legend]
    columns = [f"{title}: {words[title]}" for title in titles if title not in left_out]
    return [
        f"{'; '.join(columns)}.",
        *(f"{describe_identical(names)}." for names in doc.identical),
    ]


def meanings(doc: Standings) -> dict[str, str]:
    """What the rankings' columns mean in these standings, by their titles."""
    words = {column.title: column.meaning for column in COLUMNS}
    words["±"] += f" (from {count(doc.refits)} refits)" if doc.refits else ""
    if any(row.interval and None in row.interval for pool in doc.pools for row in pool.table):
        words["±"] += ", its one end (> or <) where a bot won or lost all"
        words["±"] += " (refits cannot help there: none turns out otherwise)" if doc.refits else ""
    if any(pool.anchor and not pool.anchor.refused for pool in doc.pools):
        words["rating"] += ", or its anchor is what was set"
    return words


def kinds(doc: Standings) -> list[str]:
    """The kinds of fault, in the order of the tables."""
    seen = {kind for entry in doc.faults for kind in entry.faults}
    return [*FAULTS, *sorted(seen - set(FAULTS))]


def describe_identical(names: Names) -> str:
    """A group of identical bots in words: `ann and bob have the same files: ...`."""
    joined = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{joined} have the same files: whatever they differ by is luck"


def describe_anchors(doc: Standings) -> list[str]:
    """The line on anchors that stands beside all tables; none where no pool was to be anchored."""
    points = [pool.anchor for pool in doc.pools if pool.anchor]
    used = [point for point in points if not point.refused]
    if not points:
        return []
    if not used:
        return ["anchor: none could be used, as the pools' lines say; a pool's mean is 25"]
    line = f"anchor: {', '.join(sorted({*map(_point, used)}))}"
    meaning = "± is of the difference to it"
    if len(used) == len(doc.pools):
        return [f"{line}; {meaning}"]
    where = f"in {len(used)} of {amount(len(doc.pools), 'pool')}"
    return [
        f"{line}, {where}; there {meaning}; a mean that takes in other pools compares with no "
        "other league"
    ]


def describe_anchor(point: AnchorPoint) -> str:
    """What a pool's own line says of its anchor."""
    if point.refused:
        return f"not anchored, its mean is 25: {point.bot} {point.refused}"
    return f"anchor: {_point(point)}"


def _point(point: AnchorPoint) -> str:
    return f"{point.bot} at {point.rating:.15g}"


def describe_orders(doc: Standings) -> list[str]:
    """A line that names the bots which a majority of pools puts three places or more elsewhere than
    their rating does, those farthest apart first; no line without such bots.
    """
    sharers = Counter(order.majority_place for order in doc.orders)
    apart = []
    for order in doc.orders:
        first = order.majority_place
        last = first + sharers[first] - 1
        distance = max(first - order.place, order.place - last)
        if distance >= PLACES_APART:
            where = ordinal(first) if first == last else f"{ordinal(first)} to {ordinal(last)}"
            apart.append((-distance, order.place, order.bot, where))
    if not apart:
        return []
    sentence = "; ".join(
        f"{bot} is {ordinal(place)} by rating and {where} by majority of pools"
        for _, place, bot, where in sorted(apart)[:SHOWN]
    )
    more = f"; {len(apart) - SHOWN} more in the JSON's `orders`" if len(apart) > SHOWN else ""
    return [f"{sentence}{more}."]


def describe_fit(fit: Fit) -> str:
    """What a pool's ratings do not explain, as part of a sentence; empty where they explain all."""
    doubts = []
    if fit.said:
        worst = next(residual for residual in fit.residuals if residual.matters)
        chance = f"{fit.p:.3f}" if fit.p >= 0.001 else "below 0.001"
        doubts.append(
            f"one number a bot does not explain the results (p {chance}): {worst.bot} finished "
            f"ahead of {worst.other} in {in_prose(worst.observed)}, by rating "
            f"{in_prose(worst.expected)}"
        )
    if fit.cycles:
        a, b, c = fit.cycles[0]
        more = f", and {fit.cycles_total - 1:,} more" if fit.cycles_total > 1 else ""
        doubts.append(f"a sure cycle: {a} beats {b}, {b} beats {c}, {c} beats {a}{more}")
    return "; ".join(doubts)


def describe_test(test: SettleTest) -> str:
    """How a pool's test stands, and which pairs are undecided."""
    looked = f"look {test.look} of {test.looks}"
    if test.settled:
        return f"settled at {looked}"
    between = ", ".join(f"{p.bot} and {p.other}" for p in test.pairs if p.verdict == "open")
    return f"not settled at {looked}; undecided between {between}"


def ordinal(number: int) -> str:
    """A number as a place: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
