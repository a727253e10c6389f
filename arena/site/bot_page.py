"""A bot's page: a sentence, why it failed, where it stands, its opponents, then the rest.

The opponent that a bot beats most often is mostly the weakest, so what ratings expect stands beside
it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import games
from arena.faults.causes import Cause, KeptFault
from arena.faults.kinds import KINDS
from arena.faults.reasons import with_view
from arena.model import LEAST_DECKS
from arena.rating.rate import win_chance
from arena.site import pages
from arena.site.games_to_watch import lead_in_words
from arena.site.pages import Site
from arena.site.sentence import summarize
from arena.site.shares import Share, together
from arena.site.stats import SHARES, Cpu, Stats, pool_of
from arena.site.stats_pool import PoolStats, Record, Seat
from arena.tables.columns import Row
from arena.tables.document import PoolTable, Standings
from arena.tables.history import History, trace_places
from arena.tables.page import Scale, ranking_of_bot, scale_of
from arena.values import in_prose
from arena.words import amount

SIDE_BY_SIDE = 40
"""Bots of a league up to which the pools stand side by side in the table of opponents."""

CAUSES = 20  # of a bot's faults that are shown
FEW = 12  # opponents whose table stands open
LINES = 60  # of a fault's text that are shown
PERCENT = Scale(0.0, 100.0, (0.0, 50.0, 100.0), 50.0)


class PoolPart(NamedTuple):
    """The bot in one of its pools."""

    id: str  # of the part of the page
    table: PoolTable
    stats: PoolStats
    number: int  # of the bot, in the statistics
    seats: list[Seat]
    scale: Scale  # of the seats' shares, in percent


def make_bot_page(
    site: Site,
    doc: Standings,
    stats: Stats,
    bot: str,
    causes: Sequence[Cause] = (),
    stored_faults: Sequence[KeptFault] = (),
    history: History | None = None,
) -> str:
    """The page of one of the bots; `causes` are its faults', `stored_faults` those whose texts
    are to be shown, `history` is the league's.
    """
    weeks = trace_places(history.weeks, bot) if history and history.weeks[1:] else []
    versions = [one for one in history.versions if one.bot == bot] if history else []
    entered = [table for table in doc.pools if any(row.bot == bot for row in table.table)]
    parts = [_part(doc, table, stats.of(table), bot) for table in entered]
    opponents = find_opponents(bot, entered, [part.stats for part in parts])
    standings = _standings(site, doc, bot)
    ranking = ranking_of_bot(doc, [row for *_, row in standings])
    faults = [
        (part.table.title, forfeits)
        for part in parts
        for forfeits in part.stats.forfeits[part.number]
    ]
    extremes = stats.bots[bot].by_kind
    contents = [("why", "Why it failed")] if causes else []
    contents.append(("standings", "Where it stands"))
    contents += [("games", "Its games")] if extremes else []
    contents.append(("opponents", "Opponents"))
    contents += [("pools", "Seats and scores"), ("cpu", "CPU time"), ("faults", "Forfeited games")]
    (version,) = (entry for entry in doc.bots if entry.name == bot)
    contents += [("weeks", "Its weeks")] if weeks else []
    return pages.page(
        "bot.html",
        site=site,
        here=site.bots[bot],
        bot_name=bot,
        hash=version.hash,
        author=version.author,
        weeks=weeks,
        versions=versions,
        ever=sum(one.games for one in versions),
        sentence=summarize(doc, bot, causes),
        failures=[(bot, cause.times, cause) for cause in causes[:CAUSES]],
        failures_left=len(causes[CAUSES:]),
        games=sum(row.games for table in doc.pools for row in table.table if row.bot == bot),
        standings=standings,
        ranking=ranking,
        remarks=make_remarks(opponents),
        opponents=opponents,
        extremes=extremes,
        few=len(opponents) <= FEW,
        rated=any(opponent.expected is not None for opponent in opponents),
        side_by_side=len(doc.bots) <= SIDE_BY_SIDE and len(entered) > 1,
        sure_class=sure_class,
        record_in_words=record_in_words,
        parts=parts,
        lead_in_words=lead_in_words,
        cpu=_cpu(stats, doc, bot),
        cpu_times=cpu_times,
        limits=stats.limits,
        faults=faults,
        faults_total=sum(forfeits.total for _, forfeits in faults),
        failed_at=stats.failed_at,
        kept=[
            (id, fault, with_view(fault.reason, seat=fault.seat).splitlines()[:LINES])
            for id, fault in stored_faults
        ],
        kinds=KINDS,
        percent_scale=PERCENT,
        contents=contents,
    )


def _standings(site: Site, doc: Standings, bot: str) -> list[tuple[str, str, int, Row]]:
    """The bot's standings, overall, then by game, in each game its pools: the title and the
    address of each table, how many bots are ranked in it, and the bot's line.
    """
    tables: list[tuple[str, str, Sequence[Row]]] = []
    if len(doc.games) > 1:
        tables.append(("Overall", "index.html#overall", doc.overall))
    for game in doc.games:
        file = site.games[game.game]
        if game.pool_count > 1:
            tables.append((f"{games.title(game.game)}, all pools", f"{file}#all", game.table))
        tables += [
            (pool.title, f"{file}#{pages.pool_id(doc.pools, pool)}", pool.table)
            for pool in doc.pools
            if pool.game == game.game
        ]
    return [
        (title, href, sum(row.ranked for row in table), row)
        for title, href, table in tables
        for row in table
        if row.bot == bot
    ]


def _part(doc: Standings, table: PoolTable, stats: PoolStats, bot: str) -> PoolPart:
    number, seats = stats.names.index(bot), stats.by_seat(bot)
    even = 100 / max(len(seats), 1)
    shares = [table.seats[seat.seats[0]].wins for seat in seats]
    shares += [end for seat in seats for end in (seat.wins.mean, *(seat.wins.interval() or ()))]
    return PoolPart(
        pages.pool_id(doc.pools, table),
        table,
        stats,
        number,
        seats,
        scale_of([even, *(100 * share for share in shares if share is not None)], even),
    )


def _cpu(stats: Stats, doc: Standings, bot: str) -> list[tuple[str, Cpu]]:
    used = [(table.title, stats.cpu.get((bot, pool_of(table)))) for table in doc.pools]
    known = [(title, cpu) for title, cpu in used if cpu]
    return [("All pools", stats.cpu[bot, None]), *known] if len(known) > 1 else known


def cpu_times(cpu: Cpu) -> list[float | None]:
    """The times that are shown, in seconds: the mean; quantiles of sessions' means, then of their
    worst batches. Of a single session only the greatest are shown, with None for the others.
    """
    return [
        cpu.mean_s,
        *(
            None if cpu.sessions == 1 and share < 1 else time
            for times in (cpu.means_s, cpu.worst_s)
            for share, time in zip(SHARES, times, strict=True)
        ),
    ]


NAMED = 3  # opponents that a sentence on ratings names


class Opponent(NamedTuple):
    """A bot's results against another in all pools in which they met."""

    name: str
    records: tuple[Record | None, ...]  # by pool of the standings; None where they did not meet
    share: Share  # of all games together: ahead, a tie half
    sure: tuple[float, float] | None  # its interval, for all of the bot's opponents at once
    rated: Share  # the same share in the pools for which the ratings expect anything
    expected: float | None  # by the ratings, over those games; None without any
    off: int  # 1 where it surely did better than that, -1 worse, for all opponents at once; else 0

    @property
    def beyond(self) -> float | None:
        """The share less what the ratings expect."""
        if self.expected is None or self.rated.mean is None:
            return None
        return self.rated.mean - self.expected

    @property
    def games(self) -> list[int]:
        """Games ahead, tied, behind."""
        met = [(record.ahead, record.tied, record.behind) for record in self.records if record]
        return [sum(games) for games in zip(*met, strict=True)]


def find_opponents(
    bot: str, tables: Sequence[PoolTable], pools: Sequence[PoolStats]
) -> list[Opponent]:
    """The bots that a bot met, hardest first: by the share of games ahead, then by name. Takes the
    standings' pools in which it entered, and their statistics in the same order.
    """
    by_pool = [_records(bot, table, stats) for table, stats in zip(tables, pools, strict=True)]
    names = sorted({name for records in by_pool for name in records})
    opponents = [
        _opponent(name, [records.get(name) for records in by_pool], len(names)) for name in names
    ]
    return sorted(opponents, key=lambda opponent: (opponent.share.mean, opponent.name))


def _opponent(name: str, records: Sequence[Record | None], opponents: int) -> Opponent:
    met = [record for record in records if record]
    known = [(record.expected, record.share) for record in met if record.expected is not None]
    share, rated = together([record.share for record in met]), together([one for _, one in known])
    expected, off = None, 0
    if rated.games:
        expected = sum(mean * one.games for mean, one in known) / rated.games
        if sure := rated.interval(opponents):
            off = (sure[0] > expected) - (sure[1] < expected)
    return Opponent(
        name=name,
        records=tuple(records),
        share=share,
        sure=share.interval(opponents),
        rated=rated,
        expected=expected,
        off=off,
    )


def _records(bot: str, table: PoolTable, stats: PoolStats) -> dict[str, Record]:
    """A bot's records against the others of a pool, by name, and the records that ratings expect,
    which are unknown for teams of two bots.
    """
    records = {record.opponent: record for record in stats.records(bot)}
    if table.partners == "mixed" or table.draw_probability is None:
        return records
    mu = {row.bot: row.mu for row in table.table}
    gaps = np.array([mu[bot] - mu[opponent] for opponent in records])
    likely = win_chance(gaps, table.draw_probability, 1).tolist()
    return {
        name: record._replace(expected=expected)
        for (name, record), expected in zip(records.items(), likely, strict=True)
    }


def sure_class(share: Share) -> str:
    """The CSS class of a share: whether it is surely more than half, or less."""
    low, high = share.interval() or (0.0, 1.0)
    return "up" if low > 0.5 else "down" if high < 0.5 else ""


class Remark(NamedTuple):
    """A sentence about opponents."""

    title: str
    name: str  # of the opponent; "" where it is about none
    words: str


def make_remarks(opponents: Sequence[Opponent]) -> list[Remark]:
    """Remarks on a bot's opponents, given hardest first: its hardest and its easiest,
    and those against whom it did better or worse than ratings say.
    """
    known = [opponent for opponent in opponents if opponent.sure]
    if not opponents:
        return [Remark("Opponents", "", "It met no other bot in a game that counts.")]
    met = f"{len(known)} of its {len(opponents)} opponents on {LEAST_DECKS} decks or more"
    if len(known) < min(2, len(opponents)):
        out = [Remark("Hardest and easiest", "", f"Not known yet: it met {met}.")]
    else:
        every = len(known) == len(opponents)
        of = "opponent" if every else f"of {len(known)}"
        out = [] if every else [Remark("Compared", "", f"It met {met}; only these count here.")]
        out.append(Remark(f"Hardest {of}", known[0].name, _describe_record(known[0])))
        out.append(Remark(f"Easiest {of}", known[-1].name, _describe_record(known[-1])))
    for title, sign in (("Better than expected", 1), ("Worse than expected", -1)):
        some = [opponent for opponent in known if opponent.off == sign]
        some.sort(key=lambda opponent: (-sign * (opponent.beyond or 0), opponent.name))
        for opponent in some[:NAMED]:
            games = amount(int(opponent.rated.games), "game")
            words = (
                f"Ahead of it in {in_prose(opponent.rated.mean)} of {games}; the ratings expect "
                f"{in_prose(opponent.expected)}."
            )
            out.append(Remark(title, opponent.name, words))
    return out


def _describe_record(opponent: Opponent) -> str:
    """Describe its record against an opponent: sure, by the interval that holds for all opponents
    at once, or perhaps luck.
    """
    assert opponent.sure
    low, high = opponent.sure
    only = "only " if high < 0.5 else ""
    words = (
        f"Ahead of it in {only}{in_prose(opponent.share.mean)} of "
        f"{amount(int(opponent.share.games), 'game')} ({in_prose(low)} to {in_prose(high)})"
    )
    return f"{words}{', which may be luck' if low <= 0.5 <= high else ''}."


def record_in_words(record: Record) -> str:
    """Describe a bot's record against another in a pool."""
    ends = record.share.interval()
    sure = f"95 %: {in_prose(ends[0])} to {in_prose(ends[1])}" if ends else "too few decks"
    words = f"{record.ahead:,}–{record.tied:,}–{record.behind:,}; {sure}"
    if record.expected is not None:
        words += f"; by ratings {in_prose(record.expected)}"
    return words
