"""A plan's bots that cannot be loaded: refused before, known from an earlier run, or tried.

A failure is known if another try would only repeat it: that is so of `error` and `illegal`, under
the same Python, packages and limits. A bot that a clock, the machine's memory or the kernel ended
may load the next time.
"""

import hashlib
import json
import os
from collections.abc import Callable

from arena.league.files import find_place
from arena.model import Reason
from arena.plan.plan import Plan
from arena.progress import Progress
from arena.runner.executor import Executor
from arena.store.loads import keep_loads, read_loads
from arena.store.store import Store
from arena.system.abilities import HAS_WALLS, LINUX
from arena.system.machine import WORKER_MIB, all_versions, find_memory_mib
from arena.words import amount


def hire_here(plan: Plan, sessions: int, say: Callable[[str], object]) -> Executor:
    """Hire workers of this machine: as many as the plan has, and no more than sessions."""
    if not HAS_WALLS:
        from arena.runner.serial_executor import SerialExecutor

        return SerialExecutor(plan)
    from arena.runner import local_executor  # here: where nothing is to be played, none is needed

    size, bot_mib = max(1, min(sessions, plan.workers)), plan.limits.memory_mib
    if (needed := size * WORKER_MIB + bot_mib) > (there := find_memory_mib()):  # bots use less
        fewer = " or fewer `workers`" if size > 1 else ""
        say(f"warning: {amount(size, 'worker')} and one bot at its limit of {bot_mib:,} MiB need "
            f"{needed:,} MiB of memory, but there are {there:,}: bots may be killed, and forfeit; "
            f"set a lower `limits.memory_mib`{fewer}")  # fmt: skip
    return local_executor.LocalExecutor(plan, size)


def find_broken(plan: Plan, store: Store) -> tuple[set[str], set[str]]:
    """The plan's bots that another try would only find broken again; and those that did not load
    when they were last tried, and may now.
    """
    failed = read_loads(store, plan.bots)
    under = _hash_conditions(plan) if failed else ""  # it looks through all installed packages
    broken = {name for name, load in failed.items() if load.lasting and load.under in ("", under)}
    return broken | plan.refused.keys(), failed.keys() - broken - plan.refused.keys()


def find_unloadable(
    plan: Plan, store: Store | None, crew: Executor, steps: Progress, keeps: bool = True
) -> dict[str, Reason]:
    """Find the plan's bots that cannot be loaded: the reasons by name. Findings are kept in the
    store, if it `keeps`. Raises what `Executor.find_unloadable` raises.
    """
    refused = {name: Reason("load", why) for name, why in plan.refused.items()}
    # "" where other machines load them: what those have installed is not known here
    under = "" if crew.loads_elsewhere else _hash_conditions(plan)
    loads = read_loads(store, plan.bots) if store is not None and under else {}
    known = {name: load.why for name, load in loads.items() if load.lasting and load.under == under}
    tried = [bot.name for bot in plan.bots if bot.name not in refused | known]
    steps.begin("loading bots", len(tried))
    failed = refused | crew.find_unloadable(tried, steps)
    if store is not None and keeps and not crew.stopping:
        keep_loads(store, (bot for bot in plan.bots if bot.name not in known), failed, under)
    return failed | known


def _hash_conditions(plan: Plan) -> str:
    """Hash what loading depends on, apart from the bot's files."""
    noexec = (
        LINUX and os.statvfs(find_place()).f_flag & os.ST_NOEXEC
    )  # loads no library of a bot's own
    parts = json.dumps([*all_versions(), plan.limits, plan.confinement, noexec])
    return hashlib.sha256(parts.encode()).hexdigest()
