"""Writes what is published of a tournament to its results folder, each file whole or not at all.

`standings.*` hold what play determines and nothing else; what is measured goes to timing.csv and
provenance.json, so that equal games give equal standings on any machine.
"""

import json
import os
import platform
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.model import Limits, Timing
from arena.system import atomic
from arena.tables import timing

if TYPE_CHECKING:
    from arena.tables.document import Standings

PROVENANCE = "provenance.json"
PACKAGES = ("arena", "msgspec", "numpy", "trueskill")


def load() -> None:
    """Load what tables are made with, which takes 0.2 s: for whoever has to wait anyway."""
    from arena.tables import formats, standings  # noqa: F401

    formats.page()


def publish(
    folder: Path, document: "Standings", timings: Iterable[Timing], limits: Limits
) -> list[Path]:
    """Write all files of a tournament; return their paths."""
    texts = tables(document)
    texts["timing.csv"] = timing.table(timings, limits)
    texts[PROVENANCE] = json.dumps(provenance(), indent=2) + "\n"
    paths = [folder / name for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        with atomic.written(path) as stream:
            stream.write(text.encode())
    return paths


def tables(document: "Standings") -> dict[str, str]:
    """Return the published tables, by the file's name: what play determines and nothing else."""
    from arena.tables import formats

    forms = {"md": formats.markdown, "csv": formats.csv, "json": formats.json, "html": formats.html}
    return {f"standings.{ending}": form(document) for ending, form in forms.items()}


def versions() -> dict[str, str]:
    """Return the versions that results can depend on."""
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def provenance() -> dict[str, Any]:
    """Return when and on what the tables were made."""
    return {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "machine": platform.machine(),
        "kernel": f"{platform.system()} {platform.release()}",
        "cores": os.cpu_count(),
        "implementation": sys.implementation.name,
    }
