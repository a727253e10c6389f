"""`arena audit`: who does not repeat itself, views that leak, pairs that help each other."""

import json
from pathlib import Path

import pytest

from arena.audit import audit
from arena.store.store import Store
from games import no_thanks
from tests.leagues import BOTS, DECKS_OF_THREE, arena, main, played_in
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
    otherwise = {each["bot"] for each in told["reproducibility"] if each["mismatches"]}
    assert otherwise == {"eve"}
    assert {each["bot"] for each in told["mismatches"]} == {"eve"}
    assert told["views"]["leaks"] == []
    assert told["views"]["compared"] == 3 * told["views"]["positions"] == 3 * 180
    assert {lean["pool"] for lean in told["pairs"]} == {"No Thanks! 3p"}
    assert len(told["pairs"]) == 6 * 5 // 2
    words = arena("audit", results, "--games", 60).stdout.decode()
    assert "eve decided differently at action " in words
    assert max(map(len, words.splitlines())) <= 120


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
