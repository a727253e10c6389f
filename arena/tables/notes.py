"""Words of tables: facts, notes, details for statisticians, and meanings of columns. Pure.

A note is a sentence that every reader needs; a detail is the statistics behind it, which pages
and terminals show on request.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from arena.model import FEW_DECKS, LEAST_DECKS, NotRanked
from arena.schedule.line_ups import join_sets
from arena.sequential.wording import describe_test
from arena.tables.columns import COLUMNS_SHOWN, NOT_RANKED, Closes, Row, Status, columns_in
from arena.tables.document import (
    AnchorPoint,
    Fit,
    Names,
    NotLoaded,
    PoolTable,
    Standings,
)
from arena.values import adding_up, in_prose
from arena.words import amount

SEAT_WORDS = {
    "seat": "seats are numbered clockwise",
    "wins": "share of the games that the seat won; both seats of a team have the team's share",
    "95 %": "95 % interval of that share",
}

CROSSTABLE_WORDS = {
    "ahead": "How often the row's bot finished ahead of the column's bot; a tie counts half.",
    "wins": "How often the row's bot won against the column's bot.",
    "left": "How often the row's bot won with the column's bot to its left, who plays next.",
}

NO_LADDER = "Results are not a simple ladder: one number per bot does not predict who beats whom."

SANDBOX = {"walls": "on", "none": "none"}
"""Words for a document's `confinement`."""

PLACES_APART = 3
"""A bot is named where its places by rating and by majority differ by so many."""
SHOWN = 3  # bots named, at most


class Notes(NamedTuple):
    """Notes below a table."""

    plain: list[str]
    details: list[str]


def list_facts(doc: Standings) -> list[str]:
    """Facts about a tournament in every format: size, deals, commitment, sandbox, when it closes,
    anchors, and bots that do not load.
    """
    games = sum(pool.games for pool in doc.pools)
    size = f"{amount(len(doc.bots), 'bot')}, {amount(games, 'game')}"
    given = "not secret (the config gives the seed)"
    committed = [f"commitment to the secret: {doc.commitment}"] if doc.commitment else []
    return [
        size,
        f"deals: {given if doc.seed == 'given' else 'secret'}",
        *committed,
        f"sandbox: {SANDBOX.get(doc.confinement, doc.confinement)}",
        *([describe_closing(doc.entries_close)] if doc.entries_close else []),
        *describe_anchors(doc),
        *(f"{one.bot} {describe_not_loaded(one)}" for one in doc.not_loaded or ()),
    ]


def describe_not_loaded(bot: NotLoaded) -> str:
    """Explain why a bot does not load: `does not load: SyntaxError, ann.py line 1`."""
    again = "" if bot.permanent else "; the next run tries again"
    return f"does not load: {bot.reason}{again}"


def describe_no_games(doc: Standings) -> str:
    """Explain why there are none: they are still to come, or no bot of any line-up loads."""
    unplayed = sum(pool.line_ups_not_played for pool in doc.pools)
    what = f"no bot of the {amount(unplayed, 'line-up')} loads"
    return f"No game could be played: {what}." if unplayed else "No games yet."


def describe_closing(closes: Closes) -> str:
    """Describe when a tournament closes, and from which run its bots are. Both are the same before
    that time and after it, so that it changes no table to pass.
    """
    when = closes.time.replace("T", " ")
    if closes.bots_from_before:
        return f"closes: {when}; bots as of the last run before it"
    return f"closed: {when}; no run was before it, so bots as of the first run after it"


def note_overall(doc: Standings) -> Notes:
    """Notes below the overall table."""
    notes = describe_not_ranked(doc, doc.overall) + warn_of_intervals(doc.overall)
    notes += [f"{pool.title}: {note}" for pool in doc.pools for note in describe_groups(pool)]
    if any(pool.fit and pool.fit.significant for pool in doc.pools):
        notes.append(NO_LADDER)
    mean = "The overall rating is the mean of a bot's ratings in all games."
    return Notes(notes, [mean, *describe_orders(doc)])


def note_game(doc: Standings, rows: Sequence[Row]) -> Notes:
    """Notes below a game's table."""
    orders = describe_orders(doc) if len(doc.games) == 1 else []
    mean = "A rating here is the mean of the bot's ratings in the game's pools."
    return Notes(describe_not_ranked(doc, rows) + warn_of_intervals(rows), [mean, *orders])


def note_pool(doc: Standings, pool: PoolTable) -> Notes:
    """Notes below a pool's table: games, decks, anchor, doubts about ratings, the test;
    then ties, seats and the fit.
    """
    notes = describe_not_ranked(doc, pool.table)
    notes.append(f"{amount(pool.games, 'game')} on {amount(pool.decks, 'deck')}.")
    details = []
    if pool.line_ups_not_played:
        number = amount(pool.line_ups_not_played, "line-up")
        notes.append(f"Not played: {number}, none of whose bots loaded.")
    if point := pool.anchor:
        refused = f"Not anchored, its mean is 25: {point.bot} {point.problem}."
        notes.append(refused if point.problem else f"Anchor: {_point(point)}.")
    notes += describe_groups(pool)
    if not pool.converged:
        notes.append("The ratings did not converge, so they are rough.")
    if pool.partners == "mixed" and any(row.faults_total for row in pool.table):
        notes.append("A forfeit costs the partner the game too.")
    if one_sided := [f"{words}." for words in describe_one_sided(pool.table, "")]:
        notes += one_sided
        if len(pool.table) > 2 and not pool.anchor:
            details.append(
                "A bot that won or lost every game also blurs the mean of the pool; set an "
                "`anchor` for narrower intervals of the others."
            )
    notes += warn_of_intervals(pool.table) if pool.games else []
    if pool.fit and pool.fit.significant:
        notes.append(NO_LADDER)
    if pool.sequential_test:
        test = describe_test(pool.sequential_test, pool.guests)
        notes.append(f"{test[:1].upper()}{test[1:]}.")
    if pool.draw_probability is not None:
        sides = "teams" if pool.partners == "mixed" else "bots"
        details.append(
            f"Two equal {sides} would tie in {in_prose(pool.draw_probability)} of games."
        )
    if pool.games:
        details.append(f"Wins by seat: {', '.join(map(in_prose, wins_by_seat(pool)))}.")
    return Notes(notes, details + (describe_fit(pool.fit) if pool.fit else []))


NEEDED = f"{LEAST_DECKS} decks (deals of the cards), or line-ups where these are drawn"


def warn_of_intervals(rows: Sequence[Row]) -> list[str]:
    """Warnings to readers of a table's intervals: missing, rough or open. A pool's own notes say
    which of its bots won or lost all.
    """
    of_pool = any(row.score is not None for row in rows)
    notes = [] if of_pool else [f"{words}." for words in describe_one_sided(rows, " of a pool")]
    without = [row.bot for row in rows if row.interval is None]
    if without:
        names = ", ".join(dict.fromkeys(without))  # a bot's own page has it in several rows
        of_bots = "" if len(without) == len(rows) else f" for {names}"
        return [*notes, f"No intervals{of_bots}: they need at least {NEEDED}."]
    if any(row.decks < FEW_DECKS for row in rows):
        return [*notes, f"Intervals are rough: some bots played fewer than {FEW_DECKS} decks."]
    return notes


def describe_one_sided(rows: Sequence[Row], where: str) -> list[str]:
    """The bots whose interval is open: `a won every game: its rating has no known upper end`."""
    shown = [row for row in rows if not row.failed]
    won = [row.bot for row in shown if row.interval and row.interval[1] is None]
    lost = [row.bot for row in shown if row.interval and row.interval[0] is None]
    ends = ((won, "won", "upper"), (lost, "lost", "lower"))
    return [
        f"{', '.join(bots)} {what} every game{where}, so the rating has no known {end} end"
        for bots, what, end in ends
        if bots
    ]


def describe_groups(pool: PoolTable) -> list[str]:
    """The bots that have never met, not even through others, where there are such groups."""
    bots, games = pool.crosstable.bots, pool.crosstable.games
    met = (
        {bot, *(other for other, number in zip(bots, row, strict=True) if number)}
        for bot, row in zip(bots, games, strict=True)
    )
    apart = [", ".join(sorted(group)) for group in join_sets(met) if len(group) > 1]
    if len(apart) < 2:
        return []
    never = "These groups never met, not even through others, so their order is not known"
    return [f"{never}: {' | '.join(sorted(apart))}."]


def wins_by_seat(pool: PoolTable) -> list[float | None]:
    """The share of games that each seat won, as readers see it: all sides add up to 100.0 %. None
    without games.
    """
    wins = [seat.wins for seat in pool.seats if seat.wins is not None]
    if not wins:
        return [None] * len(pool.seats)
    teams = 2 if pool.partners else 1  # partners sit opposite, and have their team's wins both
    return [*adding_up(wins[: len(wins) // teams])] * teams


def legend(doc: Standings, first: bool = False, bars: bool = True) -> list[str]:
    """Meanings of the rankings' columns whose titles do not say it (of those shown first, if asked;
    of bars where there are any).
    """
    if not doc.has_games:
        return []
    words = meanings(doc)
    columns = [
        f"{column.title}: {words[column.title]}"
        for column in COLUMNS_SHOWN
        if column.in_legend and (column.leads or not first) and (bars or not column.drawn)
        if column.title in words
    ]
    return [f"{'; '.join(columns)}."]


def meanings(doc: Standings) -> dict[str, str]:
    """Meanings of the rankings' columns in these standings, by their titles."""
    rows = [row for pool in doc.pools for row in pool.table]
    words = {column.title: column.meaning for column in columns_in(rows)}
    if any(row.interval and None in row.interval for pool in doc.pools for row in pool.table):
        words["±"] += ", or its known end (> or <) where a bot won or lost every game"
    if any(pool.anchor and not pool.anchor.problem for pool in doc.pools):
        words["rating"] += ", or the anchor has the rating that the config sets"
    return words


def describe_identical(names: Names) -> str:
    """A group of identical bots in words: `ann and bob have the same files: ...`."""
    joined = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{joined} have the same files: any difference between them is luck"


def name_not_ranked(rows: Sequence[Row]) -> list[str]:
    """The bots that are not ranked for a reason that needs no more words; pages have it above their
    lines.
    """
    plain: tuple[Status, ...] = ("broken", "not loaded", "guest", "unplayed")
    by_status = {one: sorted(row.bot for row in rows if row.status == one) for one in plain}
    return [
        f"Not ranked ({NOT_RANKED[status]}): {', '.join(bots)}."
        for status, bots in by_status.items()
        if bots
    ]


def describe_not_ranked(doc: Standings, rows: Sequence[Row]) -> list[str]:
    """List a table's bots that are not ranked: of those that are out the reason of each, and a line
    for those that lack the same pools.
    """
    lines = name_not_ranked(rows)
    out = {row.bot for row in rows if row.status == "unranked"}
    why = (one for one in doc.not_ranked or () if one.bot in out)
    lines += [f"Out: {one.bot}, {say_why_out(one)}." for one in why]
    by_lack: dict[Names, list[str]] = {}
    for row in rows:
        if row.status == "partial":
            by_lack.setdefault(row.missing_pools or (), []).append(row.bot)
    for lack, bots in by_lack.items():
        more = [f"{len(lack) - SHOWN} more"] if len(lack) > SHOWN else []
        where = ", ".join([*lack[:SHOWN], *more])
        lines.append(f"Not ranked: {', '.join(bots)} (no game in: {where}).")
    return lines


def say_why_out(bot: NotRanked) -> str:
    """Explain why a bot is out: `because it plays twice (until 2026-12-01)`."""
    until = f" (until {bot.ranked_again})" if bot.ranked_again else ""
    return f"because {bot.reason.rstrip('. ')}{until}"


def describe_anchors(doc: Standings) -> list[str]:
    """The line on anchors above all tables; none where no pool was to be anchored."""
    points = [pool.anchor for pool in doc.pools if pool.anchor]
    used = [point for point in points if not point.problem]
    if not points:
        return []
    if not used:
        return ["anchor: none could be used (see each pool's note); a pool's mean is 25"]
    line = f"anchor: {', '.join(sorted({*map(_point, used)}))}"
    meaning = "± is the uncertainty of the difference to it"
    if len(used) == len(doc.pools):
        return [f"{line}; {meaning}"]
    where = f"in {len(used)} of {amount(len(doc.pools), 'pool')}"
    return [
        f"{line}, {where}; there {meaning}; do not compare the means of several pools with "
        "another league's"
    ]


def _point(point: AnchorPoint) -> str:
    return f"{point.bot} at {point.rating:.15g}"


def describe_orders(doc: Standings) -> list[str]:
    """A line that names the bots which a majority of pools puts three places or more elsewhere than
    their rating does, those farthest apart first; no line without such bots.
    """
    sharers = Counter(order.majority_place for order in doc.majority_order)
    apart = []
    for order in doc.majority_order:
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


def describe_fit(fit: Fit) -> list[str]:
    """Describe results that a pool's ratings do not explain; nothing where they explain all."""
    doubts = []
    if fit.significant:
        worst = next(residual for residual in fit.residuals if residual.matters)
        chance = f"{fit.p_value:.3f}" if fit.p_value >= 0.001 else "below 0.001"
        doubts.append(
            f"Ratings do not explain the results (p {chance}): {worst.bot} finished ahead of "
            f"{worst.other} in {in_prose(worst.observed_share)} of their games, where the ratings "
            f"predict {in_prose(worst.expected_share)}."
        )
    if fit.cycles:
        a, b, c = fit.cycles[0]
        more = f", and {fit.cycles_total - 1:,} more" if fit.cycles_total > 1 else ""
        doubts.append(f"A significant cycle: {a} beats {b}, {b} beats {c}, {c} beats {a}{more}.")
    return doubts


def ordinal(number: int) -> str:
    """A number as a place: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
