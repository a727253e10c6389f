"""What one bot did against each other, its pools side by side: its bane, its prey. Pure.

Whom a bot beats most often is mostly the weakest; so what its ratings expect stands beside it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.rating.draw_margin import margin_of
from arena.rating.overall import chance
from arena.site.facts_pool import PoolFacts, Record
from arena.site.facts_shares import Share, together
from arena.tables.document import PoolTable

Ends = tuple[float, float] | None


class Met(NamedTuple):
    """What a bot did against another in a pool."""

    record: Record
    expected: float | None  # the share of games ahead by the ratings; None of teams of two bots


class Opponent(NamedTuple):
    """What a bot did against another in all pools in which they met."""

    name: str
    pools: tuple[Met | None, ...]  # in the order of the standings; None where they did not meet
    share: Share  # of all games together: ahead, a tie half
    interval: Ends  # of the share; None on too few decks
    sure: Ends  # the same for all of the bot's opponents at once
    rated: Share  # the same of the pools for which the ratings expect anything
    expected: float | None  # by the ratings, over those games; None without any
    off: int  # 1 where it surely did better than that, -1 worse, for all opponents at once; else 0

    @property
    def beyond(self) -> float | None:
        """The share less what the ratings expect."""
        if self.expected is None or self.rated.mean is None:
            return None
        return self.rated.mean - self.expected


def opponents(bot: str, tables: Sequence[PoolTable], pools: Sequence[PoolFacts]) -> list[Opponent]:
    """Return what a bot did against each other one that it met, its bane first: by the share of
    games ahead, then by name. The standings' pools are given, and their facts.
    """
    by_pool = [_met(bot, table, own) for table, own in zip(tables, pools, strict=True)]
    names = sorted({name for met in by_pool for name in met})
    out = []
    for name in names:
        met = tuple(own.get(name) for own in by_pool)
        known = [each for each in met if each]
        share = together([each.record.share for each in known])
        expectations = [
            (each.expected, each.record.share) for each in known if each.expected is not None
        ]
        rated = together([own for _, own in expectations])
        expected = None
        if rated.games:
            expected = sum(each * own.games for each, own in expectations) / rated.games
        out.append(
            Opponent(
                name,
                met,
                share,
                share.interval(),
                share.interval(len(names)),
                rated,
                expected,
                _off(expected, rated.interval(len(names))),
            )
        )
    return sorted(out, key=lambda each: (each.share.mean, each.name))


def _off(expected: float | None, sure: Ends) -> int:
    if expected is None or sure is None:
        return 0
    return (sure[0] > expected) - (sure[1] < expected)


def _met(bot: str, table: PoolTable, facts: PoolFacts) -> dict[str, Met]:
    if bot not in facts.names:
        return {}
    mu = {row.bot: row.mu for row in table.table}
    records = list(facts.records(bot))
    if table.partners == "mixed" or table.draw_probability is None:
        return {record.opponent: Met(record, None) for record in records}
    gaps = np.array([mu[bot] - mu[record.opponent] for record in records])
    likely = chance(gaps, margin_of(table.draw_probability, 1), 1).tolist()
    return {
        record.opponent: Met(record, each) for record, each in zip(records, likely, strict=True)
    }
