"""Copies of Arena that are another release than this one, for tests."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from arena import __version__
from arena.tables.releases import describe_release
from tests.places import ROOT

Edits = Mapping[str, Mapping[str, str]]  # by file: texts, and what stands in their place

COLUMN: Edits = {
    "tables/columns.py": {
        "\n\n    @property\n    def ranked": "\n    spin: Annotated[\n        "
        'Share | UnsetType, means("The share of games that it forfeited.")\n    ] = UNSET\n\n'
        "    @property\n    def ranked",
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
RUN_ALL = """
import json, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from arena.audit import verify
from arena.cli import app
from arena.runner import local_executor
from arena.runner.serial_executor import SerialExecutor

local_executor.LocalExecutor = SerialExecutor
verify.map_in_processes = map

def run(words):
    sys.argv = ["arena", *words]
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = app.main()
        except SystemExit as end:
            code = end.code
    return code or 0, err.getvalue() + out.getvalue()

if __name__ == "__main__":
    print(json.dumps([run(words) for words in json.loads(sys.argv[1])]))
"""


class Copy(NamedTuple):
    """A copy's folder, in which its package lies."""

    folder: Path
    python: str = sys.executable
    environment: Mapping[str, str] = MappingProxyType({})

    def run_all(self, *commands: Sequence[object]) -> list[tuple[int, str]]:
        """Run commands one after another, in one process as `leagues.main` does; return the exit
        code of each and what it said, standard output last.
        """
        paths = f"{self.folder}:{ROOT}"
        given = json.dumps([[str(word) for word in words] for words in commands])
        done = subprocess.run(
            [self.python, "-c", RUN_ALL, given],
            cwd=self.folder, capture_output=True, text=True, check=False, timeout=300,
            env=dict(os.environ, PYTHONPATH=paths, COLUMNS="200", **self.environment),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [(code, said) for code, said in json.loads(done.stdout)]


def copy_arena(folder: Path, version: str, *edits: Edits) -> Copy:
    """Copy this Arena into a folder as another version, with these edits."""
    for name in ("arena", "games"):
        shutil.copytree(ROOT / name, folder / name)
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
    file = folder / "arena" / "tables" / "releases.json"
    known = json.loads(file.read_text())
    known[__version__]["keys"] = describe_release().keys  # also where a column was just added
    file.write_text(json.dumps(known))
    return Copy(folder)
