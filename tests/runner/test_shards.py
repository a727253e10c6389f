"""What is settled first for all shards: how far pools with `settle` have come, and pilots."""

import shutil
from pathlib import Path

import pytest

from arena.runner import pilot
from tests.leagues import main, make
from tests.sessions import CHANCE, FIRST
from tests.sharded import bytes_of, planned, said, shard

pytestmark = pytest.mark.whole

BOTS = {"ann": CHANCE, "bob": FIRST, "cid": CHANCE}

SETTLED = """\
seed = 3

[[games]]
game = "no_thanks"
players = 3
deals = 12
settle = 0.9
"""
"""With looks at 4, 5, ... 12 deals: two equal bots are never told apart."""


def test_a_pool_that_is_to_be_settled_is_sharded_stage_by_stage(tmp_path: Path) -> None:
    config = make(tmp_path, SETTLED, BOTS)
    whole, results = tmp_path / "results" / "whole", tmp_path / "results" / "cup"
    assert main("tournament", config, "-q", "--results", whole).returncode == 0
    stages = 0
    while main("plan", config, "--to", tmp_path / "cup.plan", "-q").stdout:
        if stages == 1:
            shutil.copy(tmp_path / "cup.plan", tmp_path / "second.plan")
        for number in (1, 2):
            assert shard(tmp_path, f"{number}/2", "-q").returncode == 0
        folders = [results.with_name(f"cup-{number}of2") for number in (1, 2)]
        assert main("merge", results, *folders, "-q").returncode == 0
        stages += 1
    assert stages > 2
    (line,) = said(shard(tmp_path, "1/2", plan="second.plan"))
    assert "is of an earlier stage than" in line
    ours, theirs = bytes_of(results), bytes_of(whole)
    assert {name for name in ours if ours[name] != theirs[name]} == set()


def test_a_pilot_is_played_once_and_every_shard_takes_its_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pilot, "WORTH_IT", 1)
    monkeypatch.setattr(pilot, "GAMES", 48)
    text = 'seed = 5\n[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 4\nduplicate = "auto"\n'
    config = make(tmp_path, text, BOTS)
    whole, results = tmp_path / "results" / "whole", tmp_path / "results" / "cup"
    assert main("tournament", config, "-q", "--results", whole).returncode == 0
    planned(tmp_path)

    def refuse(*_: object) -> None:
        raise AssertionError("a pilot was played")

    monkeypatch.setattr(pilot, "measured", refuse)
    for number in (1, 2):
        assert shard(tmp_path, f"{number}/2", "-q").returncode == 0
    folders = [results.with_name(f"cup-{number}of2") for number in (1, 2)]
    assert main("merge", results, *folders, "-q").returncode == 0
    assert (results / "standings.json").read_bytes() == (whole / "standings.json").read_bytes()
