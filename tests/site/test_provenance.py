"""arena.site.provenance: where tables come from."""

from pathlib import Path

import pytest
from msgspec import structs

from arena.errors import ArenaError
from arena.model import Limits, StoredPlan
from arena.site.provenance import lines, read
from arena.tables.results import PROVENANCE, Provenance, provenance
from tests.site.documents import kept

PLAN = StoredPlan("cup", False, "full", Limits(cpu_ms=1234), ())


def test_what_publishing_tables_writes_is_read(tmp_path: Path) -> None:
    (tmp_path / PROVENANCE).write_text(provenance())
    found = read(tmp_path)
    assert found.date == found.written[:10] != ""
    assert {"arena", "python"} <= found.versions.keys()


def test_a_lone_store_has_none(tmp_path: Path) -> None:
    assert read(tmp_path) == Provenance()
    said = dict(lines(kept(), PLAN, Provenance(), ""))
    assert said["results written"].startswith("not known")
    assert "versions" not in said
    assert "machine" not in said


@pytest.mark.parametrize("damaged", [b"{", b"[]", b'{"written": 1}', b"\xff"])
def test_a_damaged_one_is_said(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / PROVENANCE).write_bytes(damaged)
    with pytest.raises(ArenaError, match="is damaged"):
        read(tmp_path)


def test_seed_walls_limits_and_hashes_are_told() -> None:
    doc = structs.replace(kept(), seed="secret", commitment="v1:" + "a" * 64)
    made = Provenance("2026-11-22T07:00:00+00:00", {"arena": "0.1.0"}, "x86_64", "Linux", 4)
    said = dict(lines(doc, PLAN, made, "{}"))
    assert said["commitment"] == doc.commitment
    assert said["seed"].startswith("secret")
    assert said["versions"] == "arena 0.1.0"
    assert "1,234 ms of CPU time" in said["limits"]
    assert doc.confinement in said["confinement"]
    sha256_of_braces = (
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"  # sha256sum
    )
    assert said["standings.json, SHA-256"] == sha256_of_braces
    given = dict(lines(structs.replace(doc, seed="given", commitment=None), PLAN, made, "{}"))
    assert given["seed"].startswith("given")
    assert "commitment" not in given
