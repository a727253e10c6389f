"""What is kept of a bot for its author: why and where in its game a seat forfeited."""

from contextlib import closing
from pathlib import Path

import pytest

from arena.model import Bot, Fault, Fixture, Played, Pool, Reason
from arena.store import logs
from arena.store.chunk import make_chunk
from arena.store.logs import failed_at, failed_in
from arena.store.store import Store

POOL = Pool("no_thanks", 3, "{}", "")
BOTS = tuple(Bot(name, name * 8) for name in "abc")


def game(id: str, *forfeits: Fault) -> Played:
    body = b'{"setup":{},"actions":[],"result":{}}'
    return Played(Fixture(id, BOTS, (2, 0, 1), 0), body, (1, 2, 3), (5, 6, 7), forfeits)


def test_each_seat_of_each_game_has_its_own_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "AT_ONCE", 2)
    slow, wrong = Reason("time", "slow"), Reason("error", "raised")
    with closing(Store.create_or_open(tmp_path / "cup")) as store:
        for bot in BOTS:
            store.keep_bot(bot, [("bot.py", b"x")])
        games = (
            game("a0"),
            game("b0", Fault(2, 4, slow), Fault(0, 9, wrong)),
            game("c0", Fault(1, 0, wrong)),
            game("d0", Fault(1, 7, slow)),
        )
        store.add(POOL, make_chunk(POOL, games))
        assert failed_at(store, ["a0", "b0", "c0", "nowhere"]) == {
            ("b0", 2): 4,
            ("b0", 0): 9,
            ("c0", 1): 0,
        }
        assert failed_at(store, []) == {}
        store.db.execute("UPDATE fault SET at = -5 WHERE game = 'd0'")
        store.db.execute("UPDATE fault SET at = 'x' WHERE game = 'c0'")
        assert failed_at(store, ["c0", "d0"]) == {}


@pytest.mark.parametrize("damage", ["x", "{}", '{"kind":"slow"}', "[[[", b"\xff", 7])
def test_a_seat_s_phase_is_known_unless_what_is_kept_is_damaged(
    tmp_path: Path, damage: object
) -> None:
    wrong = Reason("error", "raised", phase="window", shown="View()")
    with closing(Store.create_or_open(tmp_path / "cup")) as store:
        for bot in BOTS:
            store.keep_bot(bot, [("bot.py", b"x")])
        faults = Fault(1, 4, wrong), Fault(2, 6, Reason("strikes", "lost")), Fault(0, 9, wrong)
        store.add(POOL, make_chunk(POOL, [game("a0", *faults)]))
        assert failed_in(store, "a0") == {0: "window", 1: "window"}
        store.db.execute("UPDATE fault SET reason = ? WHERE seat = 1", (damage,))
        assert failed_in(store, "a0") == {0: "window"}
