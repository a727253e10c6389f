"""Where a tournament is played beyond this machine: the value of `--cluster`, checked."""

import re
from importlib.util import find_spec
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.errors import UsageError
from arena.words import shown

_FORMS = "name tcp://HOST:PORT, tls://HOST:PORT, or local:N for N workers started here"
WITHOUT_HTTP = "--no-dashboard --preload arena.cluster.no_http"
"""What Dask's schedulers and workers are started with: TLS does not cover their HTTP servers."""
MOST = 1024  # workers of `local:N`, as of --workers


class Cluster(NamedTuple):
    """A Dask scheduler, or one to be started here."""

    address: str  # tcp://HOST:PORT or tls://HOST:PORT; "" where it is started here
    local: int = 0  # workers to be started here
    slow_hosts: bool = False  # whether hosts play that are far slower than this machine

    @property
    def title(self) -> str:
        """What messages call it."""
        return self.address or f"local:{self.local}"

    @property
    def exposed(self) -> bool:
        """Whether the messages, with the tournament's secret, leave this machine unencrypted."""
        return self.address.startswith("tcp://") and not _loopback(self.address)


def parse_cluster(word: str, slow_hosts: bool) -> Cluster:
    """Parse the value of `--cluster`. Raises UsageError if it names no cluster, or if a package
    that this needs is not installed.
    """
    if not all(map(find_spec, ("cryptography", "dask", "distributed"))):
        raise UsageError(
            "--cluster: Dask, or cryptography, is not installed; in arena's folder: pip install "
            "'.[cluster]'"
        )
    if found := re.fullmatch(r"local:([0-9]{1,4})", word):
        if not 1 <= int(found[1]) <= MOST:
            raise UsageError(f"--cluster {shown(word)}: name 1 to {MOST:,} workers")
        return Cluster("", int(found[1]), slow_hosts)
    try:
        parts = urlsplit(word)
        whole = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
        extra = parts.path or parts.query or parts.fragment or parts.username
    except ValueError:  # no number for a port, or one too large
        whole = extra = None
    if not whole or extra:
        raise UsageError(f"--cluster {shown(word)}: is no address; {_FORMS}")
    return Cluster(word, 0, slow_hosts)


def _loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name
        return host == "localhost"
