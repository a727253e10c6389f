"""The changes of a plan since a tournament was last played, in words, and the games they affect.

Pure: it compares the plan of the last run with that of now.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from arena.model import Entry, Limits, StoredPlan
from arena.schedule import stages
from arena.schedule.line_ups import LineUps

STAY = "stay in the store, out of the tables"


def find_changes(before: StoredPlan, now: StoredPlan) -> list[str]:
    """Describe what has changed, a line for each change."""
    return [
        *_of_all_games(before, now),
        *_of_bots(before, now),
        *_of_pools(before, now),
        *_of_anchors(before, now),
    ]


def _of_all_games(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    pairs = zip(Limits._fields, before.limits, now.limits, strict=True)
    changed = [f"{name} {old} -> {new}" for name, old, new in pairs if old != new]
    if before.confinement != now.confinement:
        changed.append(f"confinement {before.confinement} -> {now.confinement}")
    if changed:
        yield f"changed: {', '.join(changed)}; games under the old ones {STAY}"


def _of_bots(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    old, new = ({bot.name: bot.hash for bot in plan.bots} for plan in (before, now))
    added = sorted(new.keys() - old.keys())
    changed = sorted(name for name in new.keys() & old.keys() if new[name] != old[name])
    gone = sorted(old.keys() - new.keys())
    if added:
        yield f"new bots: {', '.join(added)}"
    if changed:
        yield f"changed bots: {', '.join(changed)}; the old versions' games {STAY}"
    if gone:
        yield f"bots gone: {', '.join(gone)}; their games {STAY}"


def _of_pools(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    old = {entry.pool: entry for entry in before.entries}
    new = {entry.pool: entry for entry in now.entries}
    added = [entry.pool.title for pool, entry in new.items() if pool not in old]
    gone = [entry.pool.title for pool, entry in old.items() if pool not in new]
    if added:
        yield f"new pools: {', '.join(added)}"
    if gone:
        yield f"pools gone: {', '.join(gone)}; their games {STAY}"
    both = {bot.name for bot in before.bots} & {bot.name for bot in now.bots}
    for pool, entry in new.items():
        if pool in old and (what := _of_entry(old[pool], entry, both)):
            yield f"{pool.title}: {', '.join(what)}"


def _of_anchors(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    """Yield the changed anchors of pools that were there before; only tables change by them."""
    old, new = ({each.pool: each for each in plan.anchors} for plan in (before, now))
    there = {entry.pool for entry in before.entries}
    pools: dict[str, list[str]] = {}
    for pool in (entry.pool for entry in now.entries if entry.pool in there):
        if old.get(pool) != new.get(pool):
            words = [f"{each.bot} at {each.rating:.15g}" if each else "none"
                     for each in (old.get(pool), new.get(pool))]  # fmt: skip
            pools.setdefault(" -> ".join(words), []).append(pool.title)
    for what, titles in pools.items():
        yield f"anchor {what} ({', '.join(titles)}); no game is played anew for it"


def _of_entry(old: Entry, new: Entry, both: AbstractSet[str]) -> list[str]:
    """Describe the other changes of a pool. Of its entrants, only those count that were in the
    league before and still are.
    """
    old, new = stages.at_most(old), stages.at_most(new)
    what = [
        f"{field} {getattr(old, field)} -> {getattr(new, field)}"
        for field in ("deals", "seatings")
        if getattr(old, field) != getattr(new, field)
    ]
    if old.always != new.always:
        names = [", ".join(entry.always) or "none" for entry in (old, new)]
        what.append(f"gauntlet {' -> '.join(names)}")
    levels = [entry.settle.level if entry.settle else "none" for entry in (old, new)]
    if levels[0] != levels[1]:
        what.append(f"settle {levels[0]} -> {levels[1]}")
    if old.line_ups != new.line_ups:
        what += _of_line_ups(LineUps(old), LineUps(new))
    if old.duplicate != new.duplicate:
        word = "share decks now" if new.duplicate else "have decks of their own now"
        what.append(f"seatings {word}, so all its games are others")
    before, now = ({bot.name for bot in entry.bots} & both for entry in (old, new))
    return [*what, *(f"with {name}" for name in sorted(now - before)),
            *(f"without {name}" for name in sorted(before - now))]  # fmt: skip


def _of_line_ups(old: LineUps, new: LineUps) -> list[str]:
    """Describe how drawn line-ups differ. Their bots are compared by name: a line-up stays the same
    where a bot has changed, or another stands before it in the list.
    """
    if len(old) != len(new):
        return [f"line-ups {len(old):,} -> {len(new):,}"]
    before, now = ({tuple(bot.name for bot in each) for each in own} for own in (old, new))
    others = len(now - before)
    return [f"{others:,} of {len(new):,} line-ups drawn anew"] if others else []
