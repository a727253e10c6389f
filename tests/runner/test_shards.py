"""What is settled first for all shards: how far pools with `settle` have come, and pilots."""

import shutil
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.model import Limits
from arena.plan.plan import Plan
from arena.runner import pilot, plan_file, run
from arena.runner.run import Run
from arena.store import usage
from arena.store.store import Store
from arena.system import speed
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


@pytest.mark.long
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


def test_a_shard_is_played_by_its_machines_own_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Limits are twice and a half as long there, and the tables say nothing of it."""
    text = 'seed = 5\n[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'
    config = make(tmp_path, text, {**BOTS, "dee": FIRST, "eve": CHANCE})  # ten line-ups
    whole, results = tmp_path / "results" / "whole", tmp_path / "results" / "cup"
    assert main("tournament", config, "-q", "--results", whole).returncode == 0
    reference = plan_file.read(planned(tmp_path)).reference
    assert reference is not None
    assert shard(tmp_path, "2/2").returncode == 0
    play, limits = run.play_shard, list[Limits]()

    def noting(plan: Plan, *words: Any) -> Run:
        limits.append(plan.limits)
        return play(plan, *words)

    monkeypatch.setattr(run, "play_shard", noting)
    monkeypatch.setattr("socket.gethostname", lambda: "far")
    monkeypatch.setattr(speed, "work_s", lambda: 2.5 * reference.work_s)
    (line,) = said(shard(tmp_path, "1/2"))
    assert line.startswith("this machine is 2.5 times as slow as ")
    far = results.with_name("cup-1of2")
    assert not far.exists()
    done = shard(tmp_path, "1/2", "--slow-hosts")
    assert done.returncode == 0, done.stderr.decode()
    assert "warning: this machine is 2.5 times as slow" in done.stderr.decode()
    assert [each.cpu_ms for each in limits] == [Limits().cpu_ms * 2.5]
    assert main("merge", results, far, results.with_name("cup-2of2"), "-q").returncode == 0
    ours, theirs = bytes_of(results), bytes_of(whole)
    assert {name for name in ours if ours[name] != theirs[name]} == set()
    with closing(Store.open(results)) as store, closing(Store.open(far)) as part:
        hosts = Counter(game.host for game in store.games())
        assert hosts == {"far": part.count(), "": store.count() - part.count()}
        clocks = {usage.played_by(used).get("clock") for used in usage.kept(store)}
        assert clocks == {None, "2.50"}
