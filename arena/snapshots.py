"""Read-only copies of the bots, taken before play, and whether each of them loads."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from arena import league
from arena.model import Bot, Limits
from arena.process import Zygote


@contextmanager
def snapshots(
    sources: Mapping[str, league.Source], bots: Iterable[Bot]
) -> Iterator[dict[str, str]]:
    """Write every bot's snapshot to a private folder; give the paths by name."""
    root = Path(tempfile.mkdtemp(prefix="arena-"))
    try:
        yield {
            bot.name: str(league.write_snapshot(root, sources[bot.name], bot.hash)) for bot in bots
        }
    finally:
        for folder in root.rglob("*"):
            if folder.is_dir() and not folder.is_symlink():
                folder.chmod(0o700)  # read-only folders cannot be emptied
        shutil.rmtree(root)


def unloadable(paths: Mapping[str, str], limits: Limits, confined: bool) -> dict[str, str]:
    """Return the bots that cannot be loaded, each tried once, alone: why."""
    zygote = Zygote(confined)
    try:
        found = {}
        for name, path in paths.items():
            process = zygote.start(Path(path), limits)
            trouble = process.load()
            if trouble:
                found[name] = trouble.text
            process.end()
        return found
    finally:
        zygote.close()
