"""Whether bots load: each tried once, alone, before play."""

from collections.abc import Mapping
from pathlib import Path

from arena.model import Limits
from arena.process.zygote_client import ZygoteClient


def unloadable(paths: Mapping[str, str], limits: Limits, zygote: ZygoteClient) -> dict[str, str]:
    """Return the bots that cannot be loaded, each tried once, alone: why."""
    found = {}
    for name, path in paths.items():
        process = zygote.start(Path(path), limits)
        trouble = process.load()
        if trouble:
            found[name] = trouble.text
        process.end()
    return found
