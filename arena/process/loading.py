"""Whether bots load: each tried once, alone, before play."""

from collections.abc import Mapping
from pathlib import Path

from arena.model import Limits, Reason
from arena.process.zygote_client import ZygoteClient


def unloadable(paths: Mapping[str, str], limits: Limits, zygote: ZygoteClient) -> dict[str, Reason]:
    """Return the bots that cannot be loaded, each tried once, alone: why."""
    reasons = {}
    for name, path in paths.items():
        process = zygote.start(Path(path), limits)
        reason = process.load()
        if reason:
            reasons[name] = reason
        process.end()
    return reasons
