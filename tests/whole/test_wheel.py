"""What a wheel says of itself; house bots go into it, byte for byte, and play from there."""

import os
import re
import shutil
import subprocess
import sys
from email import message_from_string
from pathlib import Path

import pytest

from arena.league.bots import HOUSE_BOTS, find_house_bots
from tests.places import ROOT

HOUSE = ROOT / "bots"
WITHOUT = shutil.ignore_patterns("__pycache__")


def test_house_bots_are_those_of_the_readme_and_all_there() -> None:
    table = (HOUSE / "README.md").read_text().split("## The house bots")[1]
    listed = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert listed == sorted([*HOUSE_BOTS, "learned", "searcher"])  # which are in no new league
    assert [bot.name for bot in find_house_bots()] == list(HOUSE_BOTS)
    assert {bot.path.parent for bot in find_house_bots()} == {HOUSE}


def copy(folder: Path) -> Path:
    """Copy what a wheel is built from: what the Dockerfile copies, so that this is enough."""
    lines = re.findall(r"^COPY (.*) /src/(\w*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for names, to in lines:
        for path in map(ROOT.joinpath, names.split()):
            if path.is_dir():
                shutil.copytree(path, folder / "clone" / to, ignore=WITHOUT)
            else:
                (folder / "clone").mkdir(exist_ok=True)
                shutil.copy(path, folder / "clone")
    return folder / "clone"


def setup(clone: Path, *words: str) -> None:
    program = [sys.executable, "-W", "ignore", "setup.py", "-q", *words]
    subprocess.run(program, cwd=clone, check=True, capture_output=True)


def run_in(folder: Path, installed: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", "-m", *words], cwd=folder, stdin=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(installed)}, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel holds, in a folder that is no clone."""
    folder = tmp_path_factory.mktemp("wheel")
    setup(copy(folder), "build", "--build-lib", str(folder / "installed"))
    shutil.rmtree(folder / "clone")
    return folder / "installed"


@pytest.mark.whole
@pytest.mark.parametrize("url", ["", "https://example.org/us/it"])
def test_links_of_the_metadata_lead_to_the_repository_if_it_has_a_url(
    tmp_path: Path, url: str
) -> None:
    clone = copy(tmp_path)
    project = clone / "pyproject.toml"
    project.write_text(re.sub('(?m)^url = ".*"', f'url = "{url}"', project.read_text()))
    setup(clone, "egg_info")
    told = message_from_string((clone / "botarena.egg-info" / "PKG-INFO").read_text())
    links = [line.split(", ")[1] for line in told.get_all("Project-URL", [])]
    files = re.findall(r"\]\(([^)#]+)", str(told.get_payload()))
    if not url:
        assert links == []
        assert "SECURITY.md" in files
        return
    assert links
    assert all(link.startswith(url) for link in links)
    assert all("://" in file for file in files)
    assert f"{url}/blob/v{told['Version']}/SECURITY.md" in files
    assert f"{url}/raw/v{told['Version']}/results/sample.png" in files


@pytest.mark.whole
def test_the_wheel_has_their_bytes_and_all_that_the_clone_has(installed: Path) -> None:
    found = [(bot.name, bot.path.parent) for bot in find_house_bots(installed / "arena")]
    assert found == [(name, installed / "arena" / "house") for name in HOUSE_BOTS]
    for folder, original in (("arena/house", "bots"), ("arena", "arena"), ("games", "games")):
        for file in (ROOT / original).rglob("*"):
            name = file.relative_to(ROOT / original)
            if file.is_file() and "__pycache__" not in name.parts:
                assert (installed / folder / name).read_bytes() == file.read_bytes(), name


@pytest.mark.whole
@pytest.mark.long
def test_who_cloned_nothing_has_all_that_a_newcomer_types(installed: Path, tmp_path: Path) -> None:
    league = tmp_path / "cup"

    def run(*words: str, cwd: Path = league, code: int = 0) -> str:
        done = run_in(cwd, installed, "arena", *words)
        assert done.returncode == code, done.stderr
        assert str(ROOT) not in done.stdout + done.stderr
        return done.stdout + done.stderr

    run("init", "cup", cwd=tmp_path)
    config = league / "tournaments" / "tiny.toml"
    config.write_text('games = [{ game = "sixteen", players = 2, deals = 1 }]\n')
    told = run("tournament", "tournaments/tiny.toml")
    assert "110 games played" in told  # 11 bots: 55 line-ups in both seatings
    run("new", "second")
    told = run("match", "second", "haggler", "--game", "sixteen", "--games", "40")
    assert "40 games played" in told
    assert run("rules", "sixteen").startswith("# Sixteen")
    assert "## Limits" in run("brief", "sixteen")
    assert "is not a terminal" in run("play", "sixteen", "human", "mine", code=2)
    run("publish", "results/tiny")
    assert (league / "results" / "tiny" / "site" / "index.html").exists()


@pytest.mark.whole
def test_an_installation_s_bots_are_tested_from_a_league_of_one_s_own(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "eager.py").write_text("def decide(view):\n    return view.legal[-1]\n")
    (tmp_path / "test_eager.py").write_text(
        "def test_it_takes(view_of, ask):\n"
        "    assert ask('eager', view_of('no_thanks', card=10, pot=9)) == 'take'\n"
    )
    done = run_in(tmp_path, installed, "pytest", "-q")
    assert "1 passed" in done.stdout, done.stdout + done.stderr
