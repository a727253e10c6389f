"""The secret that all deals come from: drawn at the first start, and kept in the store alone."""

from collections.abc import Callable

from arena import ids
from arena.errors import ArenaError, UsageError
from arena.plan import Plan
from arena.store.store import Store


def kept_secret(store: Store, plan: Plan) -> bytes | None:
    """The tournament's secret; None before the first start. Raises UsageError if the plan has
    another seed, ArenaError if the store has lost it.
    """
    kept = store.meta("secret")
    if kept is None and not store.count():
        return None
    if not ids.is_secret(kept):
        raise ArenaError(
            f"{store.path}: holds games, but not the secret that their deals came from; put a copy "
            "in its place, or play anew with --fresh"
        )
    given = ids.secret_from_seed(plan.seed) if plan.seed is not None else None
    if given != kept and (given is not None or store.meta("seed_given")):
        raise UsageError(
            f"{plan.folder}: was played with another seed; set the seed it had, or play anew "
            "with --fresh"
        )
    return kept


def the_secret(store: Store, plan: Plan, committed: Callable[[str], None]) -> bytes:
    """The tournament's secret: at the first start made from the config's seed, or drawn. While no
    game was played, `committed` is told the commitment to a drawn one.
    """
    secret = kept_secret(store, plan)
    if secret is None:
        secret = ids.new_secret() if plan.seed is None else ids.secret_from_seed(plan.seed)
        store.set_meta("secret", secret)
        store.set_meta("seed_given", int(plan.seed is not None))
    if plan.seed is None and not store.count():
        committed(ids.commit(plan.name, secret))
    return secret
