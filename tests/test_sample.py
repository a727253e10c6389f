"""The site that is kept as a sample is whole, small and without a secret."""

import json
import subprocess
from hashlib import sha256

from tests.places import ROOT

SAMPLE = ROOT / "results" / "sample"
MOST = 1_500_000  # bytes: everybody who clones gets them


def test_the_sample_is_as_it_was_published() -> None:
    files = {str(each.relative_to(SAMPLE)): each for each in SAMPLE.rglob("*") if each.is_file()}
    told = json.loads(files.pop("site.json").read_text())["files"]
    assert {name: sha256(each.read_bytes()).hexdigest() for name, each in files.items()} == told
    assert sum(each.stat().st_size for each in files.values()) < MOST
    assert len([name for name in files if name.startswith("games/")]) >= 9


def test_a_store_beside_it_would_not_be_taken_into_git() -> None:
    for name in ("arena.sqlite", "arena.sqlite-wal"):
        done = subprocess.run(["git", "check-ignore", "-q", SAMPLE / name], cwd=ROOT, check=False)
        assert done.returncode == 0, name
    assert not [*SAMPLE.rglob("*.sqlite*")]
