"""Beyond one machine: an executor whose sessions are played by the hosts of a Dask cluster.

The command line makes it and hands it to the runner, which does not know of it. Imports runner,
plan, session, league, store, system, the sandbox's `walls` and the audit's `verify`.

Begin with `executor`; `hosts` is who gets which session, `host` what happens on a host,
`inspection` what is looked at in what it returns.
"""

from typing import TYPE_CHECKING, Any

from arena.cluster.address import Cluster, cluster_of

if TYPE_CHECKING:
    from arena.cluster.executor import ClusterExecutor, count_threads

__all__ = ["Cluster", "ClusterExecutor", "cluster_of", "count_threads"]


def __getattr__(name: str) -> Any:
    """Load what takes Dask, which is most of a second, when it is asked for."""
    if name not in __all__:
        raise AttributeError(name)
    from arena.cluster import executor

    return getattr(executor, name)
