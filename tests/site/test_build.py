"""arena.site.build: the whole folder, made of a league that was played."""

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from tests.leagues import arena

pytestmark = pytest.mark.whole


def tree(folder: Path) -> dict[str, bytes]:
    """The files, by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_league_is_published_and_says_where(league: Path) -> None:
    results = league / "results" / "cup"
    done = arena("publish", results)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().strip() == str(results / "site" / "index.html")
    files = tree(results / "site")
    assert {"index.html", "llms.txt", "standings.md", "standings.tex", "standings.csv",
            "standings.json", "standings.schema.json", "brief-sixteen.md", "brief-no_thanks.md",
            "brief-diciassette.md"} <= files.keys()  # fmt: skip
    told = json.loads(files.pop("site.json"))["files"]
    assert told == {name: sha256(data).hexdigest() for name, data in files.items()}
    assert files["standings.json"] == (results / "standings.json").read_bytes()
    page = files["index.html"].decode()
    assert sha256(files["standings.json"]).hexdigest() in page
    assert json.loads((results / "provenance.json").read_text())["written"] in page


def test_no_link_leads_nowhere(league: Path) -> None:
    results = league / "results" / "cup"
    assert arena("publish", results).returncode == 0
    files = tree(results / "site")
    for name, data in files.items():
        if name.endswith(".html"):
            links = re.findall(r'(?:href|src)="([^"#]*)(?:#[^"]*)?"', data.decode())
            assert {link for link in links if link} <= files.keys(), name


def test_identical_results_give_identical_bytes_and_nothing_of_this_machine(
    league: Path, tmp_path: Path
) -> None:
    results = league / "results" / "cup"
    assert arena("publish", results).returncode == 0
    copy = shutil.copytree(results, tmp_path / "copy", ignore=shutil.ignore_patterns("site"))
    assert arena("publish", copy, "--to", tmp_path / "out").returncode == 0
    assert tree(results / "site") == tree(tmp_path / "out")
    assert not [name for name, data in tree(tmp_path / "out").items() if b"/tmp/" in data]


def test_what_moved_is_told(league: Path, tmp_path: Path) -> None:
    results = league / "results" / "cup"
    old = shutil.copytree(results, tmp_path / "old")
    done = arena("publish", results, "--against", old)
    assert done.returncode == 0, done.stderr.decode()
    page = (results / "site" / "index.html").read_text()
    assert 'id="moved"' in page
    assert "What moved since cup" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--against", "{results}"), "is RESULTS itself"),
        (("--against", "{bots}"), "--against: "),
        (("--to", "{bots}"), "is no site of `arena publish`"),
    ],
)
def test_wrong_usage_is_one_line_and_writes_nothing(
    league: Path, words: tuple[str, ...], said: str
) -> None:
    results = league / "results" / "cup"
    places = {"results": results, "bots": league / "bots"}
    before = sorted(league.rglob("*"))
    done = arena("publish", results, *(word.format(**places) for word in words))
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert sorted(league.rglob("*")) == before
