"""A league of three bots that pass, with two chips each: its games are short."""

import shutil
from pathlib import Path

import pytest

from tests.leagues import copied, played_in
from tests.sessions import FIRST

CUP = """\
seed = 5
games = [{ game = "no_thanks", players = 3, deals = 1, options = { chips = 2 } }]
"""


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its results: to be read only."""
    bots = {"ann": FIRST, "bob": FIRST, "cid": FIRST}
    return played_in(tmp_path_factory.mktemp("cup"), CUP, bots)


@pytest.fixture
def fresh(cup: Path, tmp_path: Path) -> Path:
    """The results in a copy of the league, which a test may change."""
    league = copied(cup.parents[1], tmp_path / "league")
    shutil.rmtree(league / "results" / "cup" / "insight", ignore_errors=True)
    return league / "results" / "cup"
