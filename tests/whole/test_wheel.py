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


def test_house_bots_are_those_of_the_readme_and_all_there() -> None:
    table = (HOUSE / "README.md").read_text().split("## The house bots")[1]
    listed = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert listed == sorted([*HOUSE_BOTS, "learned", "searcher"])  # which are in no new league
    found = [(bot.name, bot.path.parent) for bot in find_house_bots()]
    assert found == [(name, HOUSE) for name in HOUSE_BOTS]


def setup(clone: Path, *words: str, url: str = "") -> None:
    """Have setuptools do its part in a copy of what the Dockerfile copies, so that it is enough."""
    clone.mkdir()
    lines = re.findall(r"^COPY (.*) /src/(\w*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for names, to in lines:
        for path in map(ROOT.joinpath, names.split()):
            if path.is_dir():
                shutil.copytree(path, clone / to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(path, clone)
    project = clone / "pyproject.toml"
    project.write_text(re.sub('(?m)^url = ".*"', f'url = "{url}"', project.read_text()))
    program = [sys.executable, "-W", "ignore", "setup.py", "-q", *words]
    subprocess.run(program, cwd=clone, check=True, capture_output=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel holds, in a folder that is no clone."""
    folder = tmp_path_factory.mktemp("wheel")
    setup(folder / "clone", "build", "--build-lib", str(folder / "installed"))
    shutil.rmtree(folder / "clone")
    return folder / "installed"


@pytest.mark.whole
@pytest.mark.parametrize("url", ["", "https://example.org/us/it"])
def test_links_of_the_metadata_lead_to_the_repository_if_it_has_a_url(
    tmp_path: Path, url: str
) -> None:
    setup(tmp_path / "clone", "egg_info", url=url)
    info = tmp_path / "clone" / "botarena.egg-info" / "PKG-INFO"
    told = message_from_string(info.read_text())
    links = [line.split(", ")[1] for line in told.get_all("Project-URL", [])]
    files = re.findall(r"\]\(([^)#]+)", str(told.get_payload()))
    assert bool(links) == bool(url)
    assert all(link.startswith(url) for link in links)
    if not url:
        assert "SECURITY.md" in files
        return
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
def test_an_installation_s_bots_are_tested_from_a_league_of_one_s_own(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "eager.py").write_text("def decide(view):\n    return view.legal[-1]\n")
    (tmp_path / "test_eager.py").write_text(
        "def test_it_takes(view_of, ask):\n"
        "    assert ask('eager', view_of('no_thanks', card=10, pot=9)) == 'take'\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-q"], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(installed)},
    )  # fmt: skip
    assert "1 passed" in done.stdout, done.stdout + done.stderr
