"""Commits are measured each in its own files, and compared with the one before."""

import subprocess
from pathlib import Path

import pytest

from tests.benchmarks import history
from tests.benchmarks.accounting import ROOT

pytestmark = pytest.mark.whole


def test_a_commit_s_gain_is_over_the_one_before() -> None:
    found: list[history.Values] = [
        {name: [2.0, 3.0, None] for name in history.MEASURES},
        {name: [1.0, 1.5, 1.0] for name in history.MEASURES},
        {name: [None, None, None] for name in history.MEASURES},
    ]
    first, second, third = history.table(["aaa", "bbb", "ccc"], found).splitlines()[2:]
    assert first.split("  ")[0] == "aaa"
    assert "%" not in first + third
    assert second.count("+100.0%") == len(history.MEASURES)
    assert second.count("1.00 (1.00..1.50)") == len(history.MEASURES)


@pytest.mark.long
def test_commits_are_measured_each_in_its_own_files() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no repository")
    with history.worktrees(["HEAD"]) as (folder,):
        ladder = folder / "tests" / "benchmarks" / "ladder.py"
        ladder.write_text(
            f"import arena\nassert arena.__file__.startswith({str(folder)!r}), arena.__file__\n"
            + ladder.read_text()
        )
        values = history.measured(folder, 12)
    assert all(value is not None and value > 0 for value in values.values())
    assert not folder.exists()
    listed = subprocess.run(
        ["git", "worktree", "list"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert str(folder) not in listed.stdout


def test_a_commit_without_a_measure_is_left_empty(tmp_path: Path) -> None:
    assert history._session(tmp_path, "reader", 1) is None


def test_each_commit_has_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no repository")
    taken = dict.fromkeys(history.MEASURES, 1.0)
    monkeypatch.setattr(history, "measured", lambda folder, games: taken)
    history.main(["HEAD", "HEAD", "--games", "6", "--rounds", "1", "--load", "inf"])
    _, _, first, second = capsys.readouterr().out.splitlines()
    assert first.split()[0] == second.split()[0] == history._git("log", "-1", "--format=%h")
    assert (first.count("%"), second.count("%")) == (0, len(history.MEASURES))


def test_a_commit_that_is_none_is_told() -> None:
    with pytest.raises(SystemExit, match="git log"):
        history.main(["no-such-commit"])
