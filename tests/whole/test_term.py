"""A league remembers a term as it was: three weeks of eight bots.

Twelve weeks of forty, killed on the way: `python -m tests.benchmarks.term`.
"""

from pathlib import Path

from tests.benchmarks.term import play_term
from tests.leagues import main


def test_history_tables_and_archive_are_right_each_week(tmp_path: Path, seed: int) -> None:
    archive = play_term(tmp_path / "league", seed, weeks=3, bots=6, games=36, here=True)
    verified = main("verify", archive, "--replay-bots", 2)
    assert verified.returncode == 0, verified.stdout.decode()
