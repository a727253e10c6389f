"""Which executor plays a plan: the only place that knows what there is beside the interface."""

from collections.abc import Callable

from arena.errors import ArenaError
from arena.plan.plan import Plan
from arena.runner.executor import Executor
from arena.runner.workers import Crew


def executor_of(plan: Plan, sessions: int, say: Callable[[str], object]) -> Executor:
    """Return who plays the plan's games; there are so many sessions to be played at once.

    `say` is told what people should know of it while it plays.
    """
    if plan.cluster:
        from arena.runner.fleet import Fleet  # and with it Dask, which takes most of a second

        return Fleet(plan, plan.cluster, say)
    return Crew(plan, max(1, min(sessions, plan.workers)))


def check(plan: Plan) -> int:
    """Return how many sessions are played at once, once it is sure that somebody can play. Raises
    UsageError or Unconfinable where nobody can, while nothing is written yet.
    """
    if not plan.cluster:
        return plan.workers
    if plan.cluster.local:  # this machine, where walls were looked for already
        return plan.cluster.local
    from arena.runner.fleet import Fleet

    told = list[str]()  # which play says again, unless there is none
    try:
        with Fleet(plan._replace(sources={}, wanted=()), plan.cluster, told.append) as fleet:
            fleet.wait_until_ready()
            return fleet.size
    except ArenaError as error:
        error.args = (*told, *error.args)
        raise
