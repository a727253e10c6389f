"""What `arena tournament --cluster` says before it plays."""

from typing import TYPE_CHECKING

from arena.cli.terminal import say
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.plan.plan import Plan


def on_cluster(
    plan: "Plan", word: str | None, workers: int | None, slow_hosts: bool, shard: bool
) -> "Plan":
    """Return the plan as a cluster's hosts are to play it, if one is named, once it is sure that
    some can; nothing is written yet. Raises UsageError or Unconfinable where none can.
    """
    from arena.cli.progress import Display
    from arena.plan.cluster import cluster_of
    from arena.runner.executor_of import check

    if word is None:
        if slow_hosts and not shard:
            raise UsageError(
                "--slow-hosts: is for other machines than this; leave it out, or name a --cluster, "
                "or a --shard"
            )
        return plan
    if workers is not None:
        raise UsageError(
            "--workers: counts workers of this machine, and --cluster plays on others; leave out "
            "one of them"
        )
    plan = plan._replace(cluster=(asked := cluster_of(word, slow_hosts)))
    if asked.exposed:
        say(
            f"warning: {asked.address} is not encrypted, and the tournament's secret goes to its "
            "hosts; use a private network, or tls://"
        )
    with Display() as steps:
        steps.begin("looking for hosts of the cluster")
        return plan._replace(workers=check(plan))
