"""Writes what is published of a tournament to its results folder, each file whole or not at all.

`standings.*` hold what play determines and nothing else; what is measured goes to timing.csv and
provenance.json, so that equal games give equal standings on any machine.
"""

import os
import platform
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.model import Limits, Timing
from arena.system import result_versions, write_atomically
from arena.tables import timing

if TYPE_CHECKING:
    from arena.tables.document import Standings

PROVENANCE = "provenance.json"


class Provenance(msgspec.Struct):
    """When and on what tables were made: what provenance.json holds."""

    written: str = ""  # as ISO 8601 has it
    versions: dict[str, str] = {}
    machine: str = ""
    kernel: str = ""
    cores: int | None = None
    implementation: str = ""
    cpu_features: list[str] = []

    @property
    def date(self) -> str:
        """The day its tables were made, `2026-11-22`; "" where it is not known."""
        return self.written[:10]


def load_makers() -> None:
    """Load what tables are made with, which takes 0.2 s: for callers that have to wait anyway."""
    from arena.tables import formats, page, standings  # noqa: F401

    page.environment((page.HERE,)).get_template("standings.html")


def publish_tables(
    folder: Path, document: "Standings", timings: Iterable[Timing], limits: Limits
) -> list[Path]:
    """Write all files of a tournament; return their paths."""
    texts = make_files(document)
    texts["timing.csv"] = timing.table(timings, limits)
    texts[PROVENANCE] = provenance()
    paths = [folder / name for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        with write_atomically(path) as stream:
            stream.write(text.encode())
    return paths


def make_files(document: "Standings") -> dict[str, str]:
    """The published tables by file name: only what play determines."""
    from arena.tables import formats, page

    forms = {"md": formats.markdown, "csv": formats.csv, "json": formats.json, "html": page.html}
    return {f"standings.{ending}": form(document) for ending, form in forms.items()}


def cpu_features() -> list[str]:
    """The features of the CPU that numpy computes with here, by numpy's names: last digits depend
    on them.
    """
    import numpy

    features = numpy.show_config(mode="dicts")["SIMD Extensions"]  # without lists that are empty
    return [*features.get("baseline", ()), *features.get("found", ())]


def provenance() -> str:
    """When and on what the tables were made, as JSON."""
    origin = Provenance(
        written=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=result_versions(),
        machine=platform.machine(),
        kernel=f"{platform.system()} {platform.release()}",
        cores=os.cpu_count(),
        implementation=sys.implementation.name,
        cpu_features=cpu_features(),
    )
    return msgspec.json.format(msgspec.json.encode(origin), indent=2).decode() + "\n"
