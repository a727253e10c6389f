"""The sample: `make sample` publishes it; its standings are kept beside the picture of it."""

import json
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from tests.leagues import main
from tests.places import ROOT

SAMPLE = ROOT / "results" / "sample"
MOST = 4_500_000  # bytes of the site


@pytest.mark.whole
def test_the_kept_standings_are_those_of_the_house_s_tournament(
    tmp_path: Path, check_kept: Callable[[str, Path], None]
) -> None:
    results, site = tmp_path / "house", tmp_path / "sample"
    played = main("tournament", ROOT / "tournaments" / "house.toml", "--results", results, "-q")
    assert played.returncode == 0, played.stderr
    assert main("publish", results, "--to", site).returncode == 0
    check_kept((site / "standings.md").read_text("utf-8"), SAMPLE / "standings.md")
    files = {str(each.relative_to(site)): each for each in site.rglob("*") if each.is_file()}
    told = json.loads(files.pop("site.json").read_text())["files"]
    assert {name: sha256(each.read_bytes()).hexdigest() for name, each in files.items()} == told
    assert sum(each.stat().st_size for each in files.values()) < MOST
    assert len([name for name in files if name.startswith("games/")]) >= 9


@pytest.mark.whole
def test_of_all_that_lies_in_its_folder_git_takes_the_standings_alone() -> None:
    names = ["site/arena.sqlite", "site/index.html", "standings.md"]
    words = ["git", "check-ignore", *(f"results/sample/{name}" for name in names)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == words[2:-1]
