"""Published files against those made again: to the byte here, up to rounding elsewhere."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from msgspec.json import decode

from arena.audit import refit
from arena.tables import results as results_
from arena.tables.document import Standings
from arena.tables.values import rounded
from tests.audit.test_verify import findings, results
from tests.leagues import main

pytestmark = pytest.mark.whole

NAMES = ("standings.csv", "standings.html", "standings.json", "standings.md")


@pytest.fixture(autouse=True)
def without_refits(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take half of what verifying does; `test_refit.py` holds them."""
    monkeypatch.setattr(refit, "refit_store", lambda store, steps: [])


def files_found(league: Path) -> set[str]:
    return {found.partition(":")[0] for found in findings(league)}


@pytest.mark.parametrize("name", NAMES)
def test_a_table_that_was_touched_is_found(league: Path, name: str) -> None:
    path = results(league) / name
    path.write_text(path.read_text().replace("ann", "zoe", 1))
    (found,) = findings(league)
    assert found.startswith(f"{name}: is not what the stored games give: line ")
    path.unlink()
    assert findings(league) == [f"{name}: is missing; `arena tournament` writes it again"]


def test_a_provenance_that_cannot_be_read_is_found(league: Path) -> None:
    path = results(league) / "provenance.json"
    path.unlink()
    assert findings(league) == []
    os.mkfifo(path)  # opened, it would wait for a writer for ever
    assert findings(league) == ["provenance.json: cannot be read (not an ordinary file)"]
    path.unlink()
    for text in (b"{", b'"\xff"', b"[" * 60_000):
        path.write_bytes(text)
        (found,) = findings(league)
        assert found.startswith("provenance.json: cannot be read ("), text[:9]


def elsewhere(folder: Path, **changes: Any) -> None:
    """Have a results folder's provenance say that its tables were made on another machine."""
    path = folder / "provenance.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def write_tables(folder: Path, document: Standings) -> None:
    for name, text in results_.make_files(document).items():
        (folder / name).write_text(text)


def raised(document: Standings, by: float) -> Standings:
    """The first overall rating is higher, and what is made from it."""
    first, *rest = document.overall
    mu = rounded(first.mu + by)
    row = structs.replace(first, mu=mu, low=rounded(mu - 3 * first.sigma))
    return structs.replace(document, overall=(row, *rest))


def test_a_digit_that_rounding_may_turn_is_told_and_two_units_are_found(league: Path) -> None:
    folder = results(league)
    document = decode((folder / "standings.json").read_bytes(), type=Standings)
    write_tables(folder, raised(document, 0.001))
    assert {"standings.csv", "standings.json"} <= files_found(league)  # made here: to the byte
    elsewhere(folder, cpu_features=["NEON"])
    done = main("verify", folder)
    assert (done.returncode, b"2 numbers differ by rounding" in done.stdout) == (0, True)
    table = folder / "standings.csv"
    table.write_text(table.read_text().replace("ann", "zoe", 1))
    assert files_found(league) == {"standings.csv"}
    write_tables(folder, raised(document, 0.002))
    assert f"standings.json: overall, {document.overall[0].bot}, mu: it has" in findings(league)[0]


@pytest.mark.parametrize("changes", [{"versions": {"python": "3.10.0", "numpy": "1.26.0"}}, {}])
def test_a_count_is_the_same_on_every_machine(league: Path, changes: dict[str, Any]) -> None:
    folder = results(league)
    document = decode((folder / "standings.json").read_bytes(), type=Standings)
    first, *rest = document.overall
    row = structs.replace(first, wins=rounded(first.wins + 0.001) if first.wins else 0.001)
    write_tables(folder, structs.replace(document, overall=(row, *rest)))
    elsewhere(folder, **changes)
    assert {"standings.csv", "standings.json"} <= files_found(league)
