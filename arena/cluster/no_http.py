"""Dask without its HTTP servers: start schedulers and workers with `--preload` of this module.

No setting turns them off. `--no-dashboard` removes one page; other pages show hosts, tasks and logs
to the network, on a port that TLS does not cover. Dask imports this module before it would start
them; if it cannot, its process does not start either.
"""

from distributed.node import ServerNode


def _start_none(*_: object, **__: object) -> None:
    """Stand in for the function that starts the HTTP server of a scheduler or a worker."""


ServerNode.start_http_server = _start_none
