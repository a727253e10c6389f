"""What the tables' notes warn of: bots with the same files, anchors, and where one number for each
bot does not say it all. Pure.
"""

from collections import Counter
from collections.abc import Iterable

from arena.tables.document import AnchorPoint, Fit, PoolTable, Standings
from arena.words import amount

Names = tuple[str, ...]

PLACES_APART = 3
"""A bot is named where its places by rating and by majority differ by so many."""
SHOWN = 3  # bots named, at most


def group_identical(bots: Iterable[tuple[str, str]]) -> tuple[Names, ...]:
    """Group the names of bots that have the same content hash: entered twice by mistake, or to see
    what luck does.

    Takes (name, hash) pairs. Groups have two names or more; names within a group are in order, and
    so are groups, by their first name.
    """
    by_hash: dict[str, list[str]] = {}
    for name, hash in sorted(bots):
        by_hash.setdefault(hash, []).append(name)
    return tuple(tuple(names) for names in by_hash.values() if len(names) > 1)


def of_identical(names: Names) -> str:
    """A group of identical bots in words: `ann and bob have the same files: ...`."""
    joined = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{joined} have the same files: whatever they differ by is luck"


def of_anchors(doc: Standings) -> list[str]:
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


def of_anchor(pool: PoolTable) -> str:
    """What a pool's own line says of its anchor; empty if it was to have none."""
    if pool.anchor is None:
        return ""
    if pool.anchor.refused:
        return f"not anchored, its mean is 25: {pool.anchor.bot} {pool.anchor.refused}"
    return f"anchor: {_point(pool.anchor)}"


def _point(point: AnchorPoint) -> str:
    return f"{point.bot} at {point.rating:.15g}"


def of_orders(doc: Standings) -> list[str]:
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


def of_fit(fit: Fit | None) -> str:
    """What a pool's ratings do not explain, as part of a sentence; empty where they explain all."""
    if fit is None:
        return ""
    doubts = []
    if fit.said:
        from arena.tables.agreement import is_apart  # numpy takes its time

        worst = next(each for each in fit.residuals if is_apart(each))
        chance = f"{fit.p:.3f}" if fit.p >= 0.001 else "below 0.001"
        doubts.append(
            f"one number a bot does not explain the results (p {chance}): {worst.bot} finished "
            f"ahead of {worst.other} in {100 * worst.observed:.1f} %, by rating "
            f"{100 * worst.expected:.1f} %"
        )
    if fit.cycles:
        a, b, c = fit.cycles[0]
        more = f", and {fit.cycles_total - 1:,} more" if fit.cycles_total > 1 else ""
        doubts.append(f"a sure cycle: {a} beats {b}, {b} beats {c}, {c} beats {a}{more}")
    return "; ".join(doubts)


def ordinal(number: int) -> str:
    """A number as a place: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
