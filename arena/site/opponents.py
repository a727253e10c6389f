"""A bot's opponents, its pools together: its bane, its prey, and what its page says of them. Pure.

The opponent that a bot beats most often is mostly the weakest, so what ratings expect stands beside
it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.model import LEAST_DECKS
from arena.rating.overall import win_chance
from arena.site.shares import Share, together
from arena.site.stats_pool import PoolStats, Record
from arena.tables.document import PoolTable
from arena.tables.values import in_prose
from arena.words import amount

NAMED = 3  # opponents that a sentence on ratings names


class Opponent(NamedTuple):
    """What a bot did against another in all pools in which they met."""

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
    """The bots that a bot met, its bane first: by the share of games ahead, then by name. Takes the
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
    share, rated = together([record.share for record in met]), together([each for _, each in known])
    expected, off = None, 0
    if rated.games:
        expected = sum(mean * each.games for mean, each in known) / rated.games
        if sure := rated.interval(opponents):
            off = (sure[0] > expected) - (sure[1] < expected)
    return Opponent(name, tuple(records), share, share.interval(opponents), rated, expected, off)


def _records(bot: str, table: PoolTable, stats: PoolStats) -> dict[str, Record]:
    """What a bot did against the others of a pool, by name, and what ratings expect, which is
    unknown for teams of two bots.
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


class Remark(NamedTuple):
    """A sentence about opponents."""

    title: str
    name: str  # of the opponent; "" where it is about none
    words: str


def remarks(opponents: Sequence[Opponent]) -> list[Remark]:
    """What there is to say of a bot's opponents, given with its bane first: its bane and its prey,
    if these are certain, and the opponents against whom it did better or worse than ratings say.
    """
    known = [opponent for opponent in opponents if opponent.sure]
    if not opponents:
        return [Remark("Opponents", "", "It met no other bot in a game that counts.")]
    if not known:
        most = max(int(opponent.share.decks) for opponent in opponents)
        words = (
            f"Not known yet: it met each opponent on {amount(most, 'deck')} at most, and on "
            f"fewer than {LEAST_DECKS} nothing is sure."
        )
        return [Remark("Bane and prey", "", words)]
    out = [_hardest_or_easiest(known[0], is_hardest=True)]
    out.append(_hardest_or_easiest(known[-1], is_hardest=False))
    for title, sign in (("Beyond its rating", 1), ("Below its rating", -1)):
        some = [opponent for opponent in known if opponent.off == sign]
        some.sort(key=lambda opponent: (-sign * (opponent.beyond or 0), opponent.name))
        for opponent in some[:NAMED]:
            games = amount(int(opponent.rated.games), "game")
            words = (
                f"{in_prose(opponent.rated.mean)} of {games} ahead of it, where the ratings expect "
                f"{in_prose(opponent.expected)}."
            )
            out.append(Remark(title, opponent.name, words))
    return out


def _hardest_or_easiest(opponent: Opponent, is_hardest: bool) -> Remark:
    """Whether it is a bane, or a prey, by the interval that holds for all opponents at once."""
    assert opponent.sure
    low, high = opponent.sure
    what, which = ("bane", "hardest") if is_hardest else ("prey", "easiest")
    share = (
        f"{in_prose(opponent.share.mean)} of {amount(int(opponent.share.games), 'game')} "
        f"({in_prose(low)} to {in_prose(high)})"
    )
    if low <= 0.5 <= high:
        words = f"The {which}: ahead of it in {share}, which may be luck."
        return Remark(f"No sure {what}", opponent.name, words)
    only = "only " if high < 0.5 else ""
    if is_hardest == (high < 0.5):
        return Remark(what.capitalize(), opponent.name, f"Ahead of it in {only}{share}.")
    words = f"The {which}, and still ahead of it in {only}{share}."
    return Remark(f"No {what}", opponent.name, words)


def record_in_words(record: Record) -> str:
    """What a bot did against another in a pool."""
    ends = record.share.interval()
    sure = f"95 %: {in_prose(ends[0])} to {in_prose(ends[1])}" if ends else "too few decks"
    words = f"{record.ahead:,}–{record.tied:,}–{record.behind:,}; {sure}"
    if record.expected is not None:
        words += f"; by ratings {in_prose(record.expected)}"
    return words
