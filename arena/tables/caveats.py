"""What the tables' notes warn of, where one number for each bot does not say it all. Pure."""

from collections import Counter

from arena.tables.agreement import apart
from arena.tables.document import Standings
from arena.tables.document_pool import Fit

PLACES_APART = 3
"""A bot's two orders part where they differ by so many places."""
SHOWN = 3  # bots of whom two orders are told


def of_orders(doc: Standings) -> list[str]:
    """Return a line on the bots that a majority of pools puts three places or more elsewhere than
    their rating does, those farthest apart first; none where there are none.
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
    told = "; ".join(
        f"{bot} is {ordinal(place)} by rating and {where} by majority of pools"
        for _, place, bot, where in sorted(apart)[:SHOWN]
    )
    more = f"; {len(apart) - SHOWN} more in the JSON's `orders`" if len(apart) > SHOWN else ""
    return [f"{told}{more}."]


def of_fit(fit: Fit | None) -> str:
    """Return what ratings do not tell of a pool, as part of a sentence; "" where they tell all."""
    if fit is None:
        return ""
    doubts = []
    if fit.said:
        worst = next(each for each in fit.residuals if apart(each))
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
    """Return a number as a place: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
