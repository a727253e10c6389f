"""Games of three bots, and a store with them, as no rules would make them."""

from pathlib import Path

from arena.model import Bot, Entry, Fault, Fixture, Limits, Played, Pool, StoredPlan
from arena.store.chunk import make_chunk
from arena.store.store import Store

POOL = Pool("no_thanks", 3, "{}", "")
BOTS = tuple(Bot(name, name * 8) for name in "abc")
PLAN = StoredPlan("cup", True, "", Limits(), (Entry(POOL, BOTS, 2, "auto", False),))


def new(folder: Path) -> Store:
    made = Store.create_or_open(folder)
    for bot in BOTS:
        made.keep_bot(bot, [("bot.py", b"x")])
    return made


def game(id: str, *faults: Fault) -> Played:
    fixture = Fixture(id, BOTS, (2, 0, 1), 0)
    body = b'{"setup":{},"actions":[],"result":{"reason":"%b"}}' % id.encode()
    return Played(fixture, body, (1, 2, 3), (5, 6, 7), faults)


def line(id: str, faults: str = "[]") -> bytes:
    """Return the record of that game."""
    return (
        '{"v":1,"game":"no_thanks","players":3,"options":{},"setup":{},"actions":[],'
        f'"result":{{"reason":"{id}"}},"meta":{{"id":"{id}","bots":["c","a","b"],'
        f'"faults":{faults}}}}}'
    ).encode()


def add(store: Store, *games: Played, host: str = "") -> None:
    store.add(POOL, make_chunk(POOL, games), host)
