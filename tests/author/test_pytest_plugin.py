"""The fixtures, in a run of pytest with nothing but what `pip install` put there."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import EXAMPLES

TESTS = """
def test_a_situation(view_of, ask):
    assert ask("thrifty", view_of("no_thanks", card=10, pot=9)) == "take"

def test_a_recorded_one(view_at, ask):
    view = view_at("games.jsonl", 2)
    assert ask("bots/thrifty.py", view, seed=3) in view.legal

def test_that_fails(view_of, ask):
    ask("bots/thrifty.py", view_of("no_thanks", card=35))
"""
THRIFTY = """
def decide(view):
    if view.card == 35:
        return "never"
    return "take" if view.pot > 8 else "pass"
"""


@pytest.mark.whole
def test_where_arena_is_installed_pytest_has_the_fixtures_unasked(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "thrifty.py").write_text(THRIFTY)
    (tmp_path / "test_thrifty.py").write_text(TESTS)
    games = [line for line in EXAMPLES.read_text().splitlines() if '"no_thanks"' in line]
    (tmp_path / "games.jsonl").write_text(games[0] + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path, env={"PATH": ""}, capture_output=True, text=True,
    )  # fmt: skip
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "NoDecision: thrifty: it answered 'never', which is not legal" in done.stdout
