"""What makes a store one shard of a tournament, and how a store begins with another one's plan."""

from collections.abc import Mapping

from arena.errors import ArenaError
from arena.model import Pool, StoredPlan
from arena.schedule import stages
from arena.schedule.choices import Choice
from arena.schedule.shards import Shard, shard_of
from arena.store.plans import keep_begun
from arena.store.store import Store
from arena.words import shown

_SHARD = "shard"  # a key in the store's table `meta`


def shard_in(store: Store) -> Shard | None:
    """Return the shard that a store holds; None if it is for a whole tournament. Raises
    ArenaError where nobody can say which.
    """
    kept = store.meta(_SHARD)
    if kept is None:
        return None
    try:
        return shard_of(kept)
    except (ValueError, TypeError):
        raise ArenaError(
            f"{store.path}: found shard {shown(kept)}, which is none; put a copy in its place, or "
            "play it anew with --fresh"
        ) from None


def begin(
    store: Store,
    plan: StoredPlan,
    secret: bytes,
    choices: Mapping[Pool, Choice],
    shard: Shard | None = None,
) -> None:
    """Have a store go on with a tournament that was begun elsewhere, as a shard of it, or whole;
    all of that is kept at once, or nothing.
    """
    told = {"secret": secret, "seed_given": int(plan.seed_given)}
    keep_begun(store, plan, choices, told | ({_SHARD: str(shard)} if shard else {}))


def to_the_end(plan: StoredPlan) -> StoredPlan:
    """Return a plan with all deals that are ever played, whatever stage it has come to: of one
    tournament, these are equal.
    """
    return plan._replace(entries=tuple(map(stages.at_most, plan.entries)))


def further(plan: StoredPlan, other: StoredPlan) -> StoredPlan:
    """Return of two plans of one tournament, in each pool, the stage that is the further one."""
    deals = {entry.pool: entry.deals for entry in other.entries}
    entries = [each._replace(deals=max(each.deals, deals[each.pool])) for each in plan.entries]
    return plan._replace(entries=tuple(entries))
