"""A bot's opponents as its page shows them: lines, and sentences on its bane and its prey. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.model import LEAST_DECKS
from arena.site.facts_bot import Met, Opponent
from arena.site.facts_shares import Share
from arena.tables.charts import heat
from arena.tables.values import in_prose
from arena.words import amount

NAMED = 3  # opponents that a sentence on ratings names


class Said(NamedTuple):
    """A sentence about opponents, with the name that it is about."""

    title: str
    name: str  # "" where it is about nobody
    words: str


class Cell(NamedTuple):
    """What the bot did against another in a pool."""

    heat: int  # class
    share: float
    games: int
    words: str


class OpponentLine(NamedTuple):
    """What the bot did against another."""

    name: str
    games: int
    record: str  # games ahead, tied, behind
    share: float
    low: float | None  # 95 % interval
    high: float | None
    expected: float | None
    beyond: float | None
    off: int
    cells: tuple[Cell | None, ...]  # by pool; none where there are too many bots


def line(each: Opponent, pools: bool) -> OpponentLine:
    """Return the line of an opponent; with its pools side by side, if asked for."""
    records = [met.record for met in each.pools if met]
    record = (sum(own) for own in zip(*((r.ahead, r.tied, r.behind) for r in records), strict=True))
    low, high = each.interval or (None, None)
    return OpponentLine(
        each.name,
        int(each.share.games),
        "–".join(f"{number:,}" for number in record),
        each.share.mean or 0.0,
        low,
        high,
        each.expected,
        each.beyond,
        each.off,
        tuple(_cell(met) for met in each.pools) if pools else (),
    )


def _cell(met: Met | None) -> Cell | None:
    if met is None:
        return None
    share = met.record.share
    mean = share.mean or 0.0
    words = f"{met.record.ahead:,}–{met.record.tied:,}–{met.record.behind:,}; {_sure(share)}"
    if met.expected is not None:
        words += f"; by ratings {in_prose(met.expected)}"
    return Cell(heat(mean, 0.5), mean, int(share.games), words)


def _sure(share: Share) -> str:
    """Return the interval of a share in words."""
    ends = share.interval()
    return f"95 %: {in_prose(ends[0])} to {in_prose(ends[1])}" if ends else "too few decks"


def said(met: Sequence[Opponent]) -> list[Said]:
    """Return what there is to say of a bot's opponents, given with its bane first: who is its bane
    and who its prey, if that is sure, and against whom it did otherwise than ratings say.
    """
    known = [each for each in met if each.sure]
    if not met:
        return [Said("Opponents", "", "It met nobody in a game that counts.")]
    if not known:
        most = max(int(each.share.decks) for each in met)
        words = (
            f"Nobody knows yet: it met each opponent on {amount(most, 'deck')} at most, and on "
            f"fewer than {LEAST_DECKS} nothing is sure."
        )
        return [Said("Bane and prey", "", words)]
    bane, prey = known[0], known[-1]
    out = [_bane(bane), _prey(prey)]
    for title, sign in (("Beyond its rating", 1), ("Below its rating", -1)):
        some = [each for each in known if each.off == sign]
        some.sort(key=lambda each: (-sign * (each.beyond or 0), each.name))
        for each in some[:NAMED]:
            words = (
                f"{in_prose(each.rated.mean)} of {amount(int(each.rated.games), 'game')} ahead of "
                f"it, where the ratings expect {in_prose(each.expected)}."
            )
            out.append(Said(title, each.name, words))
    return out


def _bane(each: Opponent) -> Said:
    low, high = each.sure or (0.0, 1.0)
    if high < 0.5:
        return Said("Bane", each.name, f"Ahead of it in only {_told(each)}.")
    if low > 0.5:
        return Said("No bane", each.name, f"The hardest, and still ahead of it in {_told(each)}.")
    return Said(
        "No sure bane", each.name, f"The hardest: ahead of it in {_told(each)}, which may be luck."
    )


def _prey(each: Opponent) -> Said:
    low, high = each.sure or (0.0, 1.0)
    if low > 0.5:
        return Said("Prey", each.name, f"Ahead of it in {_told(each)}.")
    if high < 0.5:
        return Said(
            "No prey", each.name, f"The easiest, and still ahead of it in only {_told(each)}."
        )
    return Said(
        "No sure prey", each.name, f"The easiest: ahead of it in {_told(each)}, which may be luck."
    )


def _told(each: Opponent) -> str:
    """Return a share with its games, and the interval that holds for all opponents at once."""
    low, high = each.sure or (0.0, 1.0)
    return (
        f"{in_prose(each.share.mean)} of {amount(int(each.share.games), 'game')} "
        f"({in_prose(low)} to {in_prose(high)})"
    )
