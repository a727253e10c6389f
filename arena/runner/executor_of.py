"""Which executor plays a plan: the only place that knows what there is beside the interface."""

from arena.plan.plan import Plan
from arena.runner.executor import Executor
from arena.runner.workers import Crew


def executor_of(plan: Plan, sessions: int) -> Executor:
    """Return who plays the plan's games; there are so many sessions to be played at once."""
    return Crew(plan, max(1, min(sessions, plan.workers)))
