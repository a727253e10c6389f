"""A league remembers a term as it was: three weeks of six bots."""

from pathlib import Path

from tests.leagues import main
from tests.whole.term import play_term


def test_history_tables_and_archive_are_right_each_week(tmp_path: Path, seed: int) -> None:
    archive = play_term(tmp_path / "league", seed, weeks=3, bots=6, games=36)
    verified = main("verify", archive, "--replay-bots", 2)
    assert verified.returncode == 0, verified.stdout.decode()
