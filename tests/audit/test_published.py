"""Published files against those made again: to the byte here, up to rounding elsewhere."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs
from msgspec.json import decode

from arena import __version__
from arena.audit import published
from arena.audit.differences import find_differences
from arena.model import NotRanked
from arena.tables import formats
from arena.tables import results as results_
from arena.tables.document import Standings
from arena.values import rounded
from tests.audit.findings import findings, results
from tests.documents import example, with_not_ranked
from tests.leagues import main
from tests.mutants import mutate_json

pytestmark = pytest.mark.usefixtures("without_refits")

NAMES = ("standings.csv", "standings.html", "standings.json", "standings.md")


def files_found(league: Path) -> set[str]:
    return {found.partition(":")[0] for found in findings(results(league))}


@pytest.mark.whole
def test_a_table_that_was_touched_is_found(league: Path) -> None:
    for name in NAMES:
        path = results(league) / name
        path.write_text(path.read_text().replace("ann", "zoe", 1))
    assert sorted(found.partition(": line ")[0] for found in findings(results(league))) == [
        f"{name}: does not match the stored games" for name in NAMES
    ]
    path.unlink()
    missing = f"{path.name}: is missing; rewrite it with `arena tournament`"
    assert missing in findings(results(league))


@pytest.mark.whole
def test_a_provenance_that_cannot_be_read_is_found(league: Path) -> None:
    path = results(league) / "provenance.json"
    path.unlink()
    assert findings(results(league)) == []
    os.mkfifo(path)  # opened, it would wait for a writer for ever
    assert findings(results(league)) == ["provenance.json: cannot be read (not a regular file)"]
    path.unlink()
    for text in (b"{", b'"\xff"', b"[" * 60_000):
        path.write_bytes(text)
        (found,) = findings(results(league))
        assert found.startswith("provenance.json: cannot be read ("), text[:9]


@pytest.mark.whole
def test_a_digit_that_rounding_may_turn_is_told_and_two_units_are_found(league: Path) -> None:
    folder = results(league)
    document = decode((folder / "standings.json").read_bytes(), type=Standings)
    first, *rest = document.overall

    def write_raised(by: float) -> None:
        mu = rounded(first.mu + by)
        row = structs.replace(first, mu=mu, conservative_mu=rounded(mu - 3 * first.sigma))
        for name, text in results_.make_files(
            structs.replace(document, overall=(row, *rest))
        ).items():
            (folder / name).write_text(text)

    write_raised(0.001)
    assert {"standings.csv", "standings.json"} <= files_found(league)  # made here: to the byte
    path = folder / "provenance.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"cpu_features": ["NEON"]}))
    done = main("verify", folder)
    assert (done.returncode, b"2 numbers differ by rounding" in done.stdout) == (0, True)
    table = folder / "standings.csv"
    table.write_text(table.read_text().replace("ann", "zoe", 1))
    assert files_found(league) == {"standings.csv"}
    write_raised(0.002)
    assert f"standings.json: overall, {first.bot}, mu: found" in findings(results(league))[0]


Change = Callable[[Any], object]


def changed(change: Change) -> Standings:
    """The kept document, once something in it was changed as in JSON."""
    document = msgspec.json.decode(msgspec.json.encode(example()))
    change(document)
    return msgspec.convert(document, Standings)


def raise_mu(row: dict[str, Any], by: float) -> None:
    row["mu"] = round(row["mu"] + by, 3)
    row["conservative_mu"] = round(row["mu"] - 3 * row["sigma"], 3)


def add(part: Any, key: Any, by: float) -> None:
    part[key] = round(part[key] + by, 6)


@pytest.mark.parametrize("change", [
    lambda doc: raise_mu(doc["overall"][0], 0.001),
    lambda doc: raise_mu(doc["pools"][0]["table"][0], -0.001),
    lambda doc: add(doc["overall"][0]["interval"], 0, 0.001),
    lambda doc: add(doc["overall"][1], "better_than_next", -0.001),
    lambda doc: add(doc["overall"][0]["top_probabilities"], 0, -0.001),
    lambda doc: add(doc["pools"][0]["comparisons"]["better_probability"][0], 1, -0.001),
    lambda doc: add(doc["pools"][0]["fit"], "p_value", 1e-6),
    lambda doc: add(doc["pools"][0]["fit"]["residuals"][0], "expected_share", 0.001),
])  # fmt: skip
def test_one_unit_of_what_is_computed_is_rounding(change: Change) -> None:
    wrong, rounding = find_differences(changed(change), example())
    assert not wrong
    assert rounding in (1, 2)  # mu takes low along


@pytest.mark.parametrize(("change", "where"), [
    (lambda doc: raise_mu(doc["overall"][0], 0.002), "overall, abacus, mu: found"),
    (lambda doc: add(doc["overall"][0], "conservative_mu", 0.001),
     "overall: abacus: conservative_mu"),
    (lambda doc: add(doc["overall"][0], "wins", 0.001), "overall, abacus, wins: found"),
    (lambda doc: add(doc["pools"][0]["table"][0], "score", 0.001), "abacus, score: found"),
    (lambda doc: add(doc["overall"][0], "games", 1), "overall, abacus, games: found"),
    (lambda doc: add(doc["overall"][3], "place", -1), "drifter: place 3, expected 4"),
    (lambda doc: doc["overall"].reverse(), "overall: bots are not in the order"),
    (lambda doc: add(doc["overall"][0]["top_probabilities"], 0, -0.02),
     "overall, abacus, top_probabilities, 0: found"),
    (lambda doc: add(doc["pools"][0]["comparisons"]["better_probability"][0], 1, -0.002),
     "better_probability of"),
    (lambda doc: add(doc["pools"][0]["crosstable"]["win_share"][0], 1, 0.001),
     "win_share of abacus and"),
    (lambda doc: add(doc["pools"][0]["fit"], "p_value", 2e-6), "fit, p_value: found"),
    (lambda doc: add(doc["pools"][0]["fit"]["residuals"][0], "observed_share", 0.001),
     "observed_share: found"),
    (lambda doc: doc["overall"][0].update(interval=None), "overall, abacus, interval: found"),
    (lambda doc: doc["bots"][0].update(hash="f" * 64), "bots, abacus, hash: found"),
    (lambda doc: doc["faults"].pop(), "faults: found"),
    (lambda doc: add(doc["majority_order"][0], "place", 1), "majority_order: not the order of"),
    (lambda doc: doc["pools"].reverse(), "pools: found"),
    (lambda doc: doc["pools"][0]["fit"]["residuals"].reverse(), "fit, residuals: found"),
    (lambda doc: doc["overall"][0].update(beats=doc["overall"][0]["beats"] - 1e-9), "beats: found"),
    (lambda doc: add(doc["overall"][0]["interval"], 0, 0.0014), "interval, 0: found"),
    (lambda doc: doc["overall"][1]["place_range"].reverse(), "are not a range"),
    (lambda doc: doc["overall"].append(doc["overall"][0]), "overall: found"),
    (lambda doc: doc["pools"][0]["crosstable"]["bots"].reverse(), "crosstable is not in"),
])  # fmt: skip
def test_anything_else_is_named(change: Change, where: str) -> None:
    wrong, _ = find_differences(changed(change), example())
    assert any(where in each for each in wrong), wrong


def test_bots_of_one_rating_may_change_places_where_a_digit_turns() -> None:
    """Two neighbours a unit apart, here; there, level, and so by name."""

    def parted(document: Any, gap: float = 0.001) -> None:
        rows = document["overall"]
        rows[1]["bot"], rows[2]["bot"] = rows[2]["bot"], rows[1]["bot"]
        raise_mu(rows[2], rows[1]["mu"] - gap - rows[2]["mu"])
        document["overall_comparisons"] = None

    def even(document: Any) -> None:
        parted(document, 0.0)
        rows = document["overall"]
        rows[1:3] = rows[2], rows[1] | {"place": 2}
        rows[1]["place"] = 2

    wrong, _ = find_differences(changed(even), changed(parted))
    assert not [each for each in wrong if each.startswith("overall")], wrong


def test_a_place_may_be_one_off_for_each_level_that_is_close_to_the_limit() -> None:
    def close(document: Any, row: int = 1, by: int = 0) -> None:
        document["overall_comparisons"]["confidence"][1][2] = 0.95
        document["overall"][row]["place_range"][1] += by

    def compare(*given: int) -> tuple[list[str], int]:
        return find_differences(changed(lambda doc: close(doc, *given)), changed(close))

    assert compare(1, 1) == ([], 1)
    assert compare(1, 2)[0]
    assert compare(3, 1)[0]


def test_lines_of_bots_that_are_not_ranked_are_checked_too() -> None:
    doc = with_not_ranked(NotRanked("bold", "guest"), NotRanked("copycat", "guest"))
    pool = doc.pools[0]
    first, second = pool.table[-2:]
    for told, *not_ranked in (
        ("place 3, expected None from", structs.replace(first, place=3), second),
        ("conservative_mu 0.0 is not mu", structs.replace(first, conservative_mu=0.0), second),
        ("bots are not in the order of their ratings", second, first),
        ("", first),
    ):
        forged = structs.replace(pool, table=(*pool.table[:-2], *not_ranked))
        wrong, _ = find_differences(structs.replace(doc, pools=(forged, *doc.pools[1:])), doc)
        assert any(told in each for each in wrong), told
    assert find_differences(doc, doc)[0] == []


@pytest.mark.parametrize("arena", ["9.9.9", __version__])
def test_whatever_a_document_holds_it_is_compared(seed: int, arena: str) -> None:
    """Of this release it is what was computed, or wrong; of another, or something is unchecked."""
    rng, right = Random(seed), formats.json(example())
    for _ in range(25):
        mutant = right.encode()
        for _ in range(rng.choice((1, 1, 3))):
            with suppress(ValueError, RecursionError):  # no JSON any more
                mutant = mutate_json(rng, mutant)
        text = mutant.decode("utf-8", "replace")
        with suppress(*published.UNSHOWABLE):  # which is found, too
            compared = published._compare_document(text, example(), published.Maker(arena))
            same = not compared.wrong and not compared.unchecked
            assert not same or json.loads(text) == json.loads(right), text
            results_.make_files(compared.shown)
