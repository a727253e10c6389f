"""Copies of Arena that are another release than this one, for tests."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tests.leagues import PROGRAM
from tests.places import ROOT

Edits = Mapping[str, Mapping[str, str]]  # by file: texts, and what stands in their place

COLUMN: Edits = {
    "tables/columns.py": {
        "    ] = UNSET\n\n    @property": "    ] = UNSET\n    spin: Annotated[\n        "
        'Share | UnsetType, means("The share of games that it forfeited.")\n    ] = UNSET\n\n'
        "    @property",
        ")  # fmt: skip\n": '    Column("spin", "spin", "the share of games forfeited", percent),\n'
        ")  # fmt: skip\n",
    },
    "tables/standings.py": {
        "faults_total=sum(faults.values()),": "faults_total=sum(faults.values()),\n"
        "                spin=rounded(sum(faults.values()) / max(did.games, 1)),",
    },
}
"""What a column more takes: a field, a column, its value."""
KEY_OF_WEEKS: Edits = {
    "model.py": {
        "    faults: Count\n\n\nclass WeekTable": "    faults: Count\n"
        "    spin: Count | UnsetType = UNSET\n\n\nclass WeekTable",
        "from msgspec import Meta, Struct": "from msgspec import UNSET, Meta, Struct, UnsetType",
    },
    "tables/history.py": {"row.faults_total\n": "row.faults_total, 7\n"},
}
"""A key more in weeks."""
COLUMN_LESS: Edits = {
    "tables/columns.py": {
        "    wins: Annotated[\n        Share | None,\n        means(\n            "
        '"The share of games won, a shared win divided among its winners; null without games "\n'
        '            "that count."\n        ),\n    ]\n': "",
        '    Column(\n        "wins", "wins", "share of the games won; a shared win is divided '
        'among the winners",\n        percent, share=True,\n    ),\n': "",
    },
    "tables/standings.py": {"wins=mean(did.wins, did.counted),\n": "\n"},
}
RATINGS: Edits = {"tables/standings.py": {"rounded(mu) for mu in r": "rounded(mu + 1) for mu in r"}}
"""Other rules of ratings; what is made from these moves along."""


class Copy(NamedTuple):
    """A copy's folder, in which its package lies."""

    folder: Path
    python: str = sys.executable
    environment: Mapping[str, str] = MappingProxyType({})

    def run(self, *words: object, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [self.python, *PROGRAM[1:], *map(str, words)],
            cwd=cwd or self.folder, capture_output=True, text=True, check=False, timeout=120,
            env=dict(os.environ, PYTHONPATH=str(self.folder), COLUMNS="200", **self.environment),
        )  # fmt: skip


def copy_arena(folder: Path, version: str, *edits: Edits) -> Copy:
    """Copy this Arena into a folder as another version, with these edits."""
    for name in ("arena", "games"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    here = '__version__ = "0.1.0"'
    of_version: Edits = {"__init__.py": {here: f'__version__ = "{version}"'}}
    for by_file in (of_version, *edits):
        for name, texts in by_file.items():
            path = folder / "arena" / name
            text = path.read_text()
            for old, new in texts.items():
                assert text.count(old) == 1, (name, old, text.count(old))
                text = text.replace(old, new)
            path.write_text(text)
    return Copy(folder)
