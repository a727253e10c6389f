"""Dask's client: connected, or what keeps it from that in one message.

TLS is as Dask's own configuration has it, for the scheduler and the workers read the same: one
place says which files, and nothing of arena's can contradict it.
"""

import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import dask

from arena.errors import UsageError

CONNECT_S = 10.0
TLS = (
    "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
)
"""Where Dask looks for its files; its YAML files may name them too."""

_SILENT = {"distributed": "critical", "distributed.client": "critical", "distributed.core":
           "critical", "tornado": "critical"}  # fmt: skip


@asynccontextmanager
async def connected(address: str, title: str) -> AsyncIterator[Any]:
    """Give Dask's client, asynchronous. Raises UsageError where there is none to be had."""
    dask.config.set({"logging": _SILENT})  # what matters is said by us, in one line
    from distributed import Client, Security

    warnings.filterwarnings("ignore", module="distributed")
    encrypted = address.startswith("tls://")
    security = Security(require_encryption=encrypted)
    _check_files(security, encrypted, title)
    client = Client(
        address, asynchronous=True, security=security, timeout=CONNECT_S,
        set_as_default=False, name="arena",
    )  # fmt: skip
    try:
        await client
    except (OSError, ValueError) as error:  # ValueError: TLS where the scheduler has none
        own = (
            "or see that both have TLS, with files of one authority"
            if encrypted
            else ("or name tls:// where it has TLS")
        )
        raise UsageError(
            f"{title}: no scheduler can be reached there ({error.__cause__ or error}); start one "
            f"with `dask scheduler`, {own}"
        ) from None
    try:
        yield client
    finally:
        await client.close()


def _check_files(security: Any, needed: bool, title: str) -> None:
    """Raise UsageError where Dask's configuration names wrong files of TLS, or lacks some that are
    `needed`.
    """
    named = security.get_tls_config_for_role("client")
    lacking = [
        name
        for name, key in zip(TLS, ("ca_file", "cert", "key"), strict=True)
        if not named.get(key)
    ]
    if needed and lacking:
        raise UsageError(
            f"{title}: Dask's configuration names no files of TLS; set {', '.join(lacking)}"
        )
    try:
        security.get_connection_args("client")
    except (OSError, ValueError) as error:
        files = ", ".join(str(named[key]) for key in ("ca_file", "cert", "key") if named[key])
        raise UsageError(f"{title}: files of TLS cannot be used ({error}): {files}") from None
