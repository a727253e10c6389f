"""`arena audit`: who does not repeat itself, views that leak, pairs that help each other."""

import contextlib
import json
from pathlib import Path

import pytest

from arena.audit import audit
from arena.store.chunk import game_checksum, pack_bodies
from arena.store.store import Store
from games import no_thanks
from tests.leagues import BOTS, DECKS_OF_THREE, arena, copied, main, played_in
from tests.places import source

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("audit")]  # `results` are played once

HELPER, FICKLE = source("takes_the_pot"), source("fickle")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bots = {**BOTS, "eve": FICKLE, "gil": HELPER}
    return played_in(tmp_path_factory.mktemp("audited"), DECKS_OF_THREE, bots)


def test_the_bot_that_does_not_repeat_itself_is_named_and_nobody_else(results: Path) -> None:
    done = main("audit", results, "--games", 60, "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    otherwise = {each["bot"] for each in told["repeats"] if each["otherwise"]}
    assert otherwise == {"eve"}
    assert {each["bot"] for each in told["otherwise"]} == {"eve"}
    assert told["views"]["leaks"] == []
    assert told["views"]["compared"] == 3 * told["views"]["positions"] == 3 * 180
    assert {lean["pool"] for lean in told["leans"]} == {"No Thanks! 3p"}
    assert len(told["leans"]) == 6 * 5 // 2
    words = arena("audit", results, "--games", 60).stdout.decode()
    assert "eve decided differently at action " in words
    assert max(map(len, words.splitlines())) <= 120


def test_hosts_that_ended_games_otherwise_are_named(results: Path, tmp_path: Path) -> None:
    """Another machine has half of the chunks, and bots were late there in one game of three."""
    copy = copied(results, tmp_path / "cup")
    with contextlib.closing(Store.create_or_open(copy)) as store, store.writing():
        own = [row for row in store.games() if row.fixture.deal % 2]
        chunk = store.db.execute("SELECT max(id) + 1 FROM chunk").fetchone()[0]
        bodies = pack_bodies([row.body for row in own])
        store.db.execute("INSERT INTO chunk VALUES (?, ?)", (chunk, bodies))
        store.db.execute("INSERT INTO played_on VALUES (?, 'far')", (chunk,))
        for place, row in enumerate(own):
            faults = tuple((seat, "time", 0) for seat in (0, 1) if place % 3 == 0)
            written = (row.id, row.seating, row.deal, row.ranks, row.scores)
            crc = game_checksum(row.pool, row.line_up, written, row.body, faults)
            change = "UPDATE game SET chunk = ?, place = ?, checksum = ? WHERE id = ?"
            store.db.execute(change, (chunk, place, crc, row.id))
            for seat, kind, at in faults:
                bot = store.row_ids.bot(row.line_up[row.fixture.seating[seat]])
                late = (row.id, seat, bot, kind, at, "")
                store.db.execute("INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?)", late)
    done = main("audit", copy, "--games", 1, "--json")
    here, far = sorted(json.loads(done.stdout)["games_on_hosts"], key=lambda each: each["host"])[
        ::-1
    ]
    assert (here["host"], here["faults"]["apart"]) == ("this machine", False)
    assert (far["host"], far["faults"]["apart"]) == ("far", True)
    assert far["faults"]["seats"] == here["faults"]["seats"] == 3 * len(own)
    assert far["faults"]["faults"] == 2 * len(own[::3])
    assert far["faults"]["expected"] == pytest.approx(len(own[::3]))
    assert far["furthest"]["pool"] == "No Thanks! 3p"
    lines = main("audit", copy, "--games", 1).stdout.decode().splitlines()
    (said,) = (line for line in lines if line.startswith("far: "))
    assert said.startswith(f"far: {2 * len(own[::3])} time faults, {len(own[::3])}.0 expected")
    assert main("verify", copy).returncode == 1  # such games are not by the rules, but sound


def test_a_view_that_tells_too_much_is_found(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = no_thanks.State.fields

    def peeking(state: no_thanks.State, seat: int, table: int = 0) -> tuple[object, ...]:
        told = honest(state, seat, table)
        return (*told[:6], state.deck[-1] if state.deck else 0, *told[7:])  # the pot's place

    store = Store.open(results)
    monkeypatch.setattr(store, "meta", lambda key, kept=store.meta: key == "public" or kept(key))
    assert audit.audit_store(store, 5).findings.views.leaks == []
    monkeypatch.setattr(no_thanks.State, "fields", peeking)
    found = audit.audit_store(store, 5)
    store.close()
    assert found.again == []  # of a published file no game is played again
    assert found.findings.views.leaks
    assert "sees hidden cards: view.pot was " in found.findings.views.leaks[0]
