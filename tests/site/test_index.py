"""arena.site.index: the first page, and the picture of it, which Pillow reads again."""

import sys
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from msgspec import structs
from PIL import Image, ImageChops

from arena.errors import ArenaError, UsageError
from arena.faults.causes import KeptFault, group_by_cause
from arena.model import Fault, Limits, Reason, StoredPlan
from arena.site.index import load_provenance, make_index_page, pick_first, provenance_lines
from arena.site.picture import EDGE, GROUND, SIZE, draw_picture
from arena.tables.columns import Closes
from arena.tables.document import Standings
from arena.tables.page import show_in_room
from arena.tables.results import PROVENANCE, Provenance
from tests.documents import example, of_many, put_aside
from tests.leagues import NOW
from tests.site.leagues import league
from tests.site.parts import Parts

SAID = (("seed", "secret"),)


def page(doc: Standings) -> str:
    return make_index_page(league()[0], doc, SAID, [])


@pytest.mark.parametrize("bots", [40, 60])
def test_a_page_of_many_bots_is_small(bots: int) -> None:
    text = page(of_many(bots))
    assert len(text.encode()) < 300_000 + max(0, bots - 40) * 8_000
    assert bool(show_in_room(of_many(bots), weeks=200).pools) is False


def test_three_games_to_watch_come_first_an_upset_before_a_close_one_from_several_pools() -> None:
    site, doc, stats = league()
    found = pick_first(stats.watched, doc)
    assert [words for words, _ in found] == ["An upset", "A close game", "A clear win"]
    assert len({watched.pool for _, watched in found}) == 3
    text = make_index_page(site, doc, SAID, [], watched=stats.watched)
    assert [link for link in Parts(text).links if link.startswith("watch.html#")] == [
        f"watch.html#{watched.game.id}" for _, watched in found
    ]
    assert pick_first([], doc) == []


def test_the_first_games_are_won_by_bots_that_have_a_place() -> None:
    _, doc, stats = league()
    best = doc.overall[0].bot
    firsts = pick_first(stats.watched, put_aside(doc, best))
    assert best not in {bot for _, watched in firsts for bot in watched.winners}
    for row in doc.overall:
        doc = put_aside(doc, row.bot)
    assert len(pick_first(stats.watched, doc)) == 3


def test_what_broke_has_a_line_for_each_bot_with_its_first_cause() -> None:
    site, doc, _ = league()
    reasons = [Reason("crash", "killed by SIGSEGV")] * 2 + [Reason("time", "too late")]
    faults = [KeptFault("g", Fault(0, 1, each)) for each in reasons]
    causes = {"eve": group_by_cause(faults, "eve.py")}
    total = next(entry.total for entry in doc.faults if entry.bot == "eve")
    parts = Parts(make_index_page(site, doc, SAID, [], causes=causes))
    assert f"eve {total} crash: killed by SIGSEGV" in parts.text
    assert "too late" not in parts.text


PLAN = StoredPlan("cup", False, "full", Limits(cpu_ms=1234), ())


def test_a_lone_store_has_no_provenance(tmp_path: Path) -> None:
    assert load_provenance(tmp_path) == Provenance()
    said = dict(provenance_lines(example(), PLAN, Provenance(), ""))
    assert said["results written"].startswith("not known")
    assert "versions" not in said
    assert "machine" not in said


@pytest.mark.parametrize("damaged", [b"{", b"[]", b'{"time": 1}', b"\xff"])
def test_damaged_provenance_is_said(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / PROVENANCE).write_bytes(damaged)
    with pytest.raises(ArenaError, match="is damaged"):
        load_provenance(tmp_path)


def test_seed_walls_limits_and_hashes_are_told() -> None:
    doc = structs.replace(example(), seed="secret", commitment="v1:" + "a" * 64)
    made = Provenance(time=NOW.isoformat(), versions={"arena": "0.1.0"}, machine="x86_64")
    said = dict(provenance_lines(doc, PLAN, made, "{}"))
    assert said["commitment"] == doc.commitment
    assert said["seed"].startswith("secret")
    assert said["versions"] == "arena 0.1.0"
    assert "1,234 ms of CPU time" in said["limits"]
    assert doc.confinement in said["confinement"]
    assert said["standings.json, SHA-256"] == sha256(b"{}").hexdigest()
    given = dict(provenance_lines(example(), PLAN, made, "{}"))
    assert given["seed"].startswith("given")
    assert not {"commitment", "closes", "closed"} & given.keys()
    closes = Closes("2026-12-01T18:00:00+01:00", bots_from_before=True)
    said = dict(provenance_lines(example(entries_close=closes), PLAN, made, "{}"))
    assert said["closes"].startswith("2026-12-01 18:00:00+01:00; ")


def test_the_lines_stand_within_the_edges() -> None:
    image = Image.open(BytesIO(draw_picture(["cup", "1  ann", "w" * 999]))).convert("RGB")
    assert image.size == SIZE == (1200, 630)
    box = ImageChops.difference(image, Image.new("RGB", SIZE, GROUND)).getbbox()
    assert box
    assert EDGE <= box[0] < box[2] <= SIZE[0] - EDGE


def test_without_pillow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(UsageError, match=r"pip install 'botarena\[picture\]'"):
        draw_picture(["cup"])
