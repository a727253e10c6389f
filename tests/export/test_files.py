"""Files for others' tools: one rule for names in all that are CSV."""

import csv
from pathlib import Path

from tests.leagues import main, pairs, played_in
from tests.sessions import FIRST


def names_in(file: Path, column: str = "bot") -> set[str]:
    with file.open(newline="") as lines:
        return {row[column] for row in csv.DictReader(lines)}


def test_what_a_spreadsheet_would_run_has_an_apostrophe_in_every_csv_file(tmp_path: Path) -> None:
    bots = {"-2-3": FIRST, "bob": FIRST + "# b\n"}  # a name, and to a spreadsheet a calculation
    results = played_in(tmp_path / "league", "seed = 5\n" + pairs(3), bots)
    assert main("export", results, "--to", tmp_path).returncode == 0
    files = [*results.glob("*.csv"), tmp_path / "standings.csv", tmp_path / "seats.csv"]
    assert len(files) == 4
    assert all(names_in(file) == {"'-2-3", "bob"} for file in files)
    won = {"'-2-3", "bob", "'-2-3 bob", "bob -2-3"}
    assert names_in(tmp_path / "games.csv", "winners") <= won
    printed = main("standings", results, "--format", "csv").stdout
    assert printed == (results / "standings.csv").read_bytes()
    (numbers,) = [row for row in csv.DictReader(printed.decode().splitlines())
                  if row["table"] == "pool" and row["bot"] == "bob"]  # fmt: skip
    assert float(numbers["mu"]) > 0
