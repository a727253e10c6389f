"""A league remembers a term as it was, whatever is killed on the way: three weeks of eight bots.

Twelve weeks of forty: `python -m tests.benchmarks.term`.
"""

from pathlib import Path

from tests.benchmarks.term import play_term
from tests.leagues import arena


def test_history_tables_and_archive_are_right_each_week(tmp_path: Path, seed: int) -> None:
    archive = play_term(tmp_path / "league", seed, weeks=3, bots=8, games=60)
    verified = arena("verify", archive, "--replay-bots", 2)
    assert verified.returncode == 0, verified.stdout.decode()
