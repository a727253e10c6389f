"""What `arena tournament --cluster` says before it plays."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.cli.terminal import say
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.plan import Plan
    from arena.runner.executor import Executor, Hire


def hire_for(
    plan: "Plan", word: str | None, workers: int | None, slow_hosts: bool
) -> "tuple[Plan, Hire]":
    """Choose who plays: this machine's workers, or the hosts of the cluster that is named.

    Returns the plan with as many workers as there are. Hosts are tried first, and nothing is
    written yet. Raises UsageError or Unconfinable where none can play.
    """
    if word is None:
        from arena.runner.local_executor import hire_here

        if slow_hosts:
            raise UsageError(
                "--slow-hosts: is for other machines than this; leave it out, or name a --cluster"
            )
        return plan, hire_here
    if workers is not None:
        raise UsageError(
            "--workers: counts workers of this machine, and --cluster plays on others; leave out "
            "one of them"
        )
    from arena.cli.progress import Display
    from arena.cluster import ClusterExecutor, count_threads, parse_cluster

    cluster = parse_cluster(word, slow_hosts)
    if cluster.exposed:
        say(
            f"warning: {cluster.address} is not encrypted, and the tournament's secret goes to its "
            "hosts; use a private network, or tls://"
        )
    with Display() as steps:
        steps.begin("looking for hosts of the cluster")
        workers = count_threads(plan, cluster)

    def hire(plan: "Plan", sessions: int, say: Callable[[str], object]) -> "Executor":
        return ClusterExecutor(plan, cluster, say)  # whose hosts come and go

    return plan._replace(workers=workers), hire
