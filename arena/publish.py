"""Writes what is published of a tournament to its results folder, each file whole or not at all.

`standings.*` hold what play determines and nothing else; what is measured goes to timing.csv and
provenance.json, so that equal games give equal standings on any machine.
"""

import csv
import io
import json
import os
import platform
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from arena import whole
from arena.model import Pool

PROVENANCE = "provenance.json"
PACKAGES = ("arena", "msgspec", "numpy", "trueskill")


def publish(
    folder: Path, document: dict[str, Any], timings: Iterable[tuple[Pool, str, int, float]]
) -> list[Path]:
    """Write all files of a tournament; return their paths."""
    texts = tables(document)
    texts["timing.csv"] = timing(timings)
    texts[PROVENANCE] = json.dumps(provenance(), indent=2) + "\n"
    paths = [folder / name for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        with whole.written(path) as stream:
            stream.write(text.encode())
    return paths


def tables(document: dict[str, Any]) -> dict[str, str]:
    """Return the published tables, by the file's name: what play determines and nothing else."""
    from arena import report

    forms = {"md": report.markdown, "csv": report.csv, "json": report.json, "html": report.html}
    return {f"standings.{ending}": form(document) for ending, form in forms.items()}


def timing(timings: Iterable[tuple[Pool, str, int, float]]) -> str:
    """Return what bots' processes used, as CSV: CPU in s, and us a decision, everything in."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["game", "players", "options", "bot", "decisions", "cpu_s", "cpu_us_a_decision"]
    )
    for pool, bot, decisions, cpu_s in timings:
        mean_us = f"{cpu_s / decisions * 1e6:.1f}" if decisions else ""
        row = [pool.game, pool.players, pool.options, bot, decisions, f"{cpu_s:.3f}", mean_us]
        writer.writerow(row)
    return out.getvalue()


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
