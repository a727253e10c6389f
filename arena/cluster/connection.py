"""Dask's client: connected, or one message about what prevents that.

TLS is as Dask's own configuration has it, for the scheduler and the workers read the same: one
place says which files, and nothing of arena's can contradict it. A cluster that arena starts has a
key of its own, made for the run.
"""

import asyncio
import re
import ssl
import warnings
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import dask

from arena.cluster.address import WITHOUT_HTTP
from arena.errors import UsageError
from arena.words import shown

CONNECT_S = 10.0  # for something to answer
GREET_S = 20.0  # for it to prove to be a scheduler
TLS = (
    "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
)
"""Where Dask looks for its files; its YAML files may name them too."""
KEYS = ("ca_file", "cert", "key")  # what Dask calls them

_SILENT = {"distributed": "critical", "distributed.client": "critical", "distributed.core":
           "critical", "tornado": "critical"}  # fmt: skip


def unheard(loop: asyncio.AbstractEventLoop, trouble: dict[str, Any]) -> None:
    """Report a task that failed and that no other task awaits, unless the exception is Dask's own:
    such tasks fail where hosts are lost while their results are on the way, which we report
    ourselves.
    """
    if not type(trouble.get("exception")).__module__.startswith("distributed."):
        loop.default_exception_handler(trouble)


def key_for_this_run(folder: Path) -> dict[str, str]:
    """Make a key and a certificate that vouches for itself in a private folder; return their files
    as Dask's `Security` takes them.
    """
    dask.config.set({"logging": _SILENT})
    from distributed import Security

    made, certificate, key = Security.temporary(), folder / "tls.pem", folder / "tls.key"
    certificate.write_text(made.tls_client_cert)
    key.write_text(made.tls_client_key)
    return {
        "tls_ca_file": str(certificate),
        "tls_client_cert": str(certificate),
        "tls_client_key": str(key),
    }


@asynccontextmanager
async def connected(
    address: str, title: str, files: Mapping[str, str] | None = None
) -> AsyncIterator[Any]:
    """Connect Dask's client, asynchronous; `files` of TLS count before those of Dask's
    configuration. Raises UsageError where that fails.
    """
    dask.config.set({"logging": _SILENT})  # what matters is said by us, in one line
    from distributed import Client, Security

    warnings.filterwarnings("ignore", module="distributed")
    encrypted = address.startswith("tls://")
    security = Security(require_encryption=encrypted, **(files or {}))
    _check_files(security, encrypted, title)
    client = Client(
        address, asynchronous=True, security=security, timeout=CONNECT_S,
        set_as_default=False, name="arena",
    )  # fmt: skip
    try:
        try:
            async with asyncio.timeout(GREET_S):  # Dask's own ends once something answers
                await client
        except Exception as error:  # whatever Dask makes of an answer that is no scheduler's
            raise UsageError(f"{title}: {why(error, encrypted)}") from None
        yield client
    finally:
        await client.close()


def why(error: Exception, encrypted: bool) -> str:
    """Explain why there is no connection, and what to do."""
    while isinstance(error.__cause__, Exception):
        error = error.__cause__
    # what a scheduler says to a certificate of another authority Dask raises without its cause
    refused = getattr(error.__context__, "real_error", None)
    if isinstance(refused, ssl.SSLError):
        error = refused
    if encrypted and _spoke_without_tls(error):
        return "what answers there has no TLS; name tcp://, or start it with TLS"
    if isinstance(error, ssl.SSLError):
        return f"TLS fails with what answers there ({_words(error)}); {_ALIKE}"
    if isinstance(error, OSError):
        remedy = _ALIKE if encrypted else "name tls:// where it has TLS"
        return (
            f"no scheduler can be reached there ({_words(error)}); start one with `dask "
            f"scheduler {WITHOUT_HTTP}`, or {remedy}"
        )
    return (
        f"what answers there is no scheduler of this Dask, which says {shown(str(error))}; name "
        "the address that `dask scheduler` tells"
    )


def _spoke_without_tls(error: Exception) -> bool:
    """Whether the other side spoke without TLS, when TLS was to begin, or before."""
    if isinstance(error, ssl.SSLError):
        return error.reason == "WRONG_VERSION_NUMBER"
    return isinstance(error, ValueError)  # tornado's: there is something to read already


_ALIKE = "see that both have files of one authority"


def _words(error: Exception) -> str:
    """An error's own words, without what is for programmers."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return re.sub(r"^\[.*?\] | \(_ssl\.c:\d+\)$", "", text)


def _check_files(security: Any, needed: bool, title: str) -> None:
    """Raise UsageError where Dask's configuration names wrong files of TLS, or lacks some that are
    `needed`.
    """
    named = security.get_tls_config_for_role("client")
    lacking = [name for name, key in zip(TLS, KEYS, strict=True) if not named.get(key)]
    if needed and lacking:
        raise UsageError(
            f"{title}: Dask's configuration names no files of TLS; set {', '.join(lacking)}"
        )
    try:
        if wrong := _wrong_file(named):
            raise UsageError(f"{title}: {wrong}; Dask's configuration names it for TLS")
        security.get_connection_args("client")
    except (OSError, ValueError) as error:
        files = ", ".join(str(named[key]) for key in KEYS if named[key])
        raise UsageError(
            f"{title}: files of TLS cannot be used ({_words(error)}): {files}"
        ) from None


def _wrong_file(named: Mapping[str, Any]) -> str:
    """The file that cannot be read, or is no file of TLS, and why; "" if all are right."""
    authority, certificate, key = (named.get(each) for each in KEYS)
    for file in filter(None, (authority, certificate, key)):
        try:
            with open(file, "rb"):
                pass
        except OSError as error:
            return f"{file}: {error.strerror}"
    try:
        context = ssl.create_default_context(cafile=authority)
    except ssl.SSLError as error:
        return f"{authority}: is no authority's certificate ({_words(error)})"
    try:
        if certificate:
            context.load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        return f"{certificate}: is no certificate to {key} ({_words(error)})"
    return ""
