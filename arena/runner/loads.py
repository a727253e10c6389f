"""Which bots of a plan cannot be loaded: refused before, known from an earlier run, or tried.

A failure is known if another try would only repeat it: that is so of `error` and `illegal`, under
the same Python, packages and limits. A bot that a clock, the machine's memory or the kernel ended
may load the next time.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec

from arena.model import Bot, Reason
from arena.plan import Plan
from arena.progress import Progress
from arena.runner.executor import Executor
from arena.store import Store
from arena.system import all_versions
from arena.typed_json import decode

LASTING = frozenset({"error", "illegal"})
UNLOADABLE = "unloadable "  # before a bot's hash, in keys of the store's table `meta`


class _Known(msgspec.Struct):
    under: str  # a hash of what it depends on, beside the bot's files
    why: Reason


def hire_here(plan: Plan, sessions: int, say: Callable[[str], object]) -> Executor:
    """Hire workers of this machine: as many as the plan has, and no more than sessions."""
    from arena.runner import local_executor  # here: where nothing is to be played, none is needed

    return local_executor.LocalExecutor(plan, max(1, min(sessions, plan.workers)))


def find_unloadable(
    plan: Plan, store: Store | None, crew: Executor, steps: Progress, keeps: bool = True
) -> dict[str, Reason]:
    """Find the plan's bots that cannot be loaded: the reasons by name. Findings are kept in the
    store, if it `keeps`. Raises what `Executor.unloadable` raises.
    """
    bots = [bot for bot in plan.bots if bot.name not in plan.refused]
    known, under = dict[str, Reason](), ""
    # not where other machines load them: what those have installed is not known here
    if store is not None and not crew.loads_elsewhere:
        parts = json.dumps([*all_versions(), plan.limits, plan.confinement])
        under = hashlib.sha256(parts.encode()).hexdigest()
        known = _known(store, bots, under)
    tried = [bot.name for bot in bots if bot.name not in known]
    steps.begin("loading bots", len(tried))
    failed = crew.unloadable(tried, steps)
    if store is not None and under and keeps:
        store.set_metas(
            {
                UNLOADABLE + bot.hash: msgspec.json.encode(_Known(under, reason)).decode()
                for bot in bots
                if (reason := failed.get(bot.name)) and reason.how in LASTING
            }
        )
    refused = {name: Reason("load", why) for name, why in plan.refused.items()}
    return {**refused, **known, **failed}


def _known(store: Store, bots: Iterable[Bot], under: str) -> dict[str, Reason]:
    reasons = {}
    for bot in bots:
        if kept := store.meta(UNLOADABLE + bot.hash):
            with suppress(ValueError):  # damaged: it is tried again
                known = decode(kept, _Known)
                if known.under == under and known.why.kind == "load":
                    reasons[bot.name] = known.why
    return reasons
