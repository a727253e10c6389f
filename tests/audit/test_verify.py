"""Nothing is taken on trust: what verify finds, what is played again, what is published."""

import csv
import gzip
import json
import os
import re
import sqlite3
import zlib
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyarrow import parquet

from arena.audit import game_check, refit
from arena.model import Bot, Fixture, Pool
from arena.records.record import Divergence, judge_record, make_body, make_line
from arena.store import chunk
from arena.store.scan import StoredGame
from arena.store.store import Store
from games import diciassette, load
from tests.leagues import BOTS, SMALL, SMALL_GAMES, Done, alter, arena, main, make
from tests.places import source
from tests.processes import children_of, command_of, memory_of
from tests.sessions import FIRST

pytestmark = pytest.mark.whole


@pytest.fixture(autouse=True)
def without_refits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of what verifying takes here; `test_refit.py` holds them, and they have processes of
    their own in the tests that start some.
    """
    monkeypatch.setattr(refit, "refit_store", lambda store, steps: [])


def results(league: Path) -> Path:
    return league / "results" / "cup"


def store_of(league: Path) -> Path:
    return results(league) / "arena.sqlite"


def again(league: Path) -> Done:
    return main("tournament", league / "tournaments" / "cup.toml", "-q")


def first(league: Path, game: str = "no_thanks") -> StoredGame:
    store = Store.open(results(league))
    row = next(row for row in store.games() if row.pool.game == game)
    store.close()
    return row


def change(league: Path, row: StoredGame) -> None:
    """Store a row as if it had been written so: with a checksum that fits."""
    change_in(store_of(league), row)


def change_in(store: Path, row: StoredGame) -> None:
    """The same, of any store."""
    written = (row.id, row.seating, row.deal, row.ranks, row.scores)
    crc = chunk.game_checksum(row.pool, row.line_up, written, row.body, row.faults)
    alter(store, "INSERT INTO chunk (bodies) VALUES (?)", chunk.pack_bodies([row.body]))
    alter(
        store,
        "UPDATE game SET ranks = ?, scores = ?, chunk = (SELECT max(id) FROM chunk), "
        "index_in_chunk = 0, checksum = ? WHERE id = ?",
        row.ranks, row.scores, crc, row.id,
    )  # fmt: skip


def findings(league: Path, *words: object) -> list[str]:
    """Return what verify finds, as `place: what`."""
    done = main("verify", results(league), "--json", *words)
    found = [
        f"{each['location']}: {each['message']}" for each in json.loads(done.stdout)["findings"]
    ]
    assert done.returncode == bool(found), done.stderr.decode()
    return found


def test_what_is_true_is_said_to_be(played: Path) -> None:
    done = arena("verify", results(played), "--replay-bots", 30)
    assert done.returncode == 0, done.stdout.decode()
    said = done.stdout.decode()
    assert f"games: {SMALL_GAMES} of {SMALL_GAMES} follow the rules" in said
    assert "replayed: 30 games, 30 with the same result" in said
    assert "OK: no problems found" in said


def test_a_flipped_bit_in_a_chunk_costs_its_games_which_are_played_again(league: Path) -> None:
    before = main("records", results(league)).stdout
    with sqlite3.connect(results(league) / "arena.sqlite") as database:
        row, blob = next(database.execute("SELECT id, bodies FROM chunk ORDER BY random()"))
        harmed = bytearray(blob)
        harmed[len(harmed) // 2] ^= 4
        database.execute("UPDATE chunk SET bodies = ? WHERE id = ?", (bytes(harmed), row))
        own = {id for (id,) in database.execute("SELECT id FROM game WHERE chunk = ?", (row,))}
    database.close()
    assert 0 < len(own) < SMALL_GAMES
    damage = "is damaged: its checksum does not match"
    found = {each for each in findings(league) if each.startswith("game ")}
    assert found == {f"game {id}: {damage}" for id in own}
    told = arena("tournament", league / "tournaments" / "cup.toml", "-q")
    games = "1 game is damaged" if len(own) == 1 else f"{len(own)} games are damaged"
    assert games in told.stderr.decode()
    assert main("records", results(league)).stdout == before
    assert findings(league) == []


def test_ranks_that_the_record_does_not_give_are_found(league: Path) -> None:
    row = first(league)
    change(league, row._replace(ranks=json.dumps(json.loads(row.ranks)[::-1])))
    found = findings(league)
    assert any(f"game {row.id}: its ranks: the store has" in each for each in found), found


def test_a_game_that_was_never_dealt_so_is_found(league: Path) -> None:
    """A whole and legal record, under the name of another game."""
    row = first(league)
    other = json.loads(row.body)
    deck = other["setup"]["deck"]
    prefix: dict[str, Any] = {"actions": [], "result": None}
    deck[-1], other["setup"]["removed"] = (
        other["setup"]["removed"][0],
        sorted([*other["setup"]["removed"][1:], deck[-1]]),
    )
    change(league, row._replace(body=json.dumps(other | prefix).encode()))
    assert any(f"game {row.id}: " in each for each in findings(league))
    # Kept legal to the end: the last card turned up is another, and so are the scores
    game = load("no_thanks")
    replayed = game.State(game.Options(), 3, game.parse_setup(game.Options(), 3, other["setup"]))
    for seat, action in json.loads(row.body)["actions"]:
        replayed.replay(seat, action)
    result = replayed.result()
    body = make_body(game, replayed, result)
    ranks, scores = json.dumps(result["ranks"]), json.dumps(result["scores"])
    changed = row._replace(body=body, ranks=ranks, scores=scores)
    assert judge_record(json.loads(changed.line))
    change(league, changed)
    found = findings(league)
    assert f"game {row.id}: its deal does not follow from the secret" in found


@pytest.mark.parametrize("place", [0.35, 0.6, 0.95])
def test_a_damaged_page_is_found_and_what_it_held_is_played_again(
    league: Path, place: float
) -> None:
    before = main("records", results(league)).stdout
    file = results(league) / "arena.sqlite"
    page = 4096
    with file.open("r+b") as stream:
        pages = file.stat().st_size // page
        stream.seek(int(pages * place) * page)
        stream.write(b"\xa5" * page)
    assert any(found.startswith("database: ") for found in findings(league))
    told = again(league)
    assert told.returncode == 0, told.stderr.decode()
    assert b"arena.sqlite.damaged" in told.stderr
    assert (results(league) / "arena.sqlite.damaged").exists()
    assert main("records", results(league)).stdout == before
    assert findings(league) == []


def test_without_what_games_mean_nothing_without_it_says_so(league: Path) -> None:
    file = results(league) / "arena.sqlite"
    page = 4096
    with sqlite3.connect(file) as database:
        (root,) = database.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'bot'"
        ).fetchone()
    database.close()
    with file.open("r+b") as stream:
        stream.seek((root - 1) * page)
        stream.write(b"\xa5" * page)
    done = again(league)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"its table `bot` is damaged" in done.stderr
    fresh = main("tournament", league / "tournaments" / "cup.toml", "-q", "--fresh")
    assert fresh.returncode == 0, fresh.stderr.decode()  # as the message says
    assert file.exists()


def test_a_bot_that_does_not_repeat_itself_is_named(tmp_path: Path) -> None:
    config = make(tmp_path, bots={**BOTS, "eve": source("fickle")})
    assert main("tournament", config, "-q").returncode == 0
    found = findings(tmp_path, "--replay-bots", 60)
    assert found
    assert not [each for each in found if "eve decided differently at action " not in each]


def test_a_public_store_tells_all_but_secret_logs_and_sources(league: Path, tmp_path: Path) -> None:
    store = Store.open(results(league))
    secret = store.meta("secret")
    store.close()
    for to, words in (
        (tmp_path / "a", []),
        (tmp_path / "b", []),
        (tmp_path / "c", ["--with-sources"]),
    ):
        done = arena("export", results(league), "--to", to, *words)
        assert done.returncode == 0, done.stderr.decode()
        for file in filter(Path.is_file, to.rglob("*")):
            content = (
                gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
            )
            assert not any(form in content for form in (secret, secret.hex().encode())), file
    for name in ("games.csv", "seats.csv", "standings.csv", "records.jsonl.gz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    whole = gzip.decompress((tmp_path / "a" / "records.jsonl.gz").read_bytes())
    assert whole == main("records", results(league)).stdout
    rows = list(csv.DictReader((tmp_path / "a" / "seats.csv").open()))
    assert len({row["game_id"] for row in rows}) == SMALL_GAMES
    for to, kept in ((tmp_path / "a", False), (tmp_path / "c", True)):
        done = arena("verify", to)
        assert done.returncode == 0, done.stdout.decode()
        assert b"the copy has no secret" in done.stdout
        store = Store.open(to)
        assert (store.source_of(store.bots()[0]) is not None) == kept
        assert list(store.db.execute("SELECT 1 FROM fault WHERE reason != ''")) == []
        assert (
            list(
                store.db.execute(
                    "SELECT 1 FROM timing WHERE printed != '' OR notes != '[]' OR ends != '[]'"
                )
            )
            == []
        )
        store.close()
        with closing(sqlite3.connect(to / "arena-public.sqlite")) as database:
            (seats,) = next(database.execute("SELECT count(*) FROM seat"))
        assert seats == len(rows)
    for name in ("games", "seats"):
        told = list(csv.DictReader((tmp_path / "a" / f"{name}.csv").open()))
        table = parquet.read_table(tmp_path / "a" / f"{name}.parquet").to_pylist()
        assert [{key: str(value) for key, value in row.items()} for row in table] == told
    (tmp_path / "a" / "arena-public.sqlite").rename(tmp_path / "a" / "arena.sqlite")
    refused = main("tournament", league / "tournaments" / "cup.toml", "--results", tmp_path / "a")
    assert refused.returncode == 2
    assert b"is a published copy" in refused.stderr


def test_the_secret_is_in_the_store_and_nowhere_else(league: Path) -> None:
    store = Store.open(results(league))
    secret = store.meta("secret")
    store.close()
    forms = (secret, secret.hex().encode(), zlib.compress(secret)[2:-4])
    for path in league.rglob("*"):
        if path.is_file() and not path.name.startswith("arena.sqlite"):
            content = path.read_bytes()
            assert not any(form in content for form in forms), path
    told = main("records", results(league)).stdout + main("logs", results(league), "ann").stdout
    assert not any(form in told for form in forms)


def test_no_process_of_a_bot_or_zygote_has_the_secret_in_its_memory(tmp_path: Path) -> None:
    from tests.whole.test_load import started

    process, family = started(tmp_path)
    try:
        store = Store.open(tmp_path / "results" / "cup")
        secret = store.meta("secret")
        store.close()
        workers = {pid for pid in family if b"multiprocess.spawn" in command_of(pid)}
        strangers = set().union(*map(children_of, workers))
        assert len(strangers) >= 4, family
        looked = [memory_has(pid, secret) for pid in strangers]
        assert not any(looked)
        if os.getuid() == 0:  # who may look at all
            assert looked.count(False) >= 4
            assert any(memory_has(pid, secret) for pid in workers)  # the search does find it
    finally:
        process.kill()
        process.communicate()


def memory_has(pid: int, what: bytes) -> bool | None:
    """Return whether a process has these bytes in its memory; None if it may not be looked at."""
    try:
        return any(what in part for part in memory_of(pid))
    except OSError:  # not ours to look at, or it has ended
        return None


@pytest.mark.long
def test_a_league_that_grows_plays_only_what_is_new_and_says_so(tmp_path: Path) -> None:
    config = make(tmp_path)
    assert again(tmp_path).returncode == 0

    def dry() -> str:
        return main("tournament", config, "--dry-run").stderr.decode()

    def games_played() -> int:
        done = main("tournament", config)
        assert done.returncode == 0, done.stderr.decode()
        return int(done.stderr.decode().rpartition(" games played;")[0].split()[-1])

    assert "new bots" not in dry()
    (tmp_path / "bots" / "eli.py").write_text(BOTS["bob"] + "# another\n")
    assert "new bots: eli\n" in dry()
    # No Thanks! 3p: 6 line-ups with eli of 10; Sixteen 2p and 2v2: 4 of 10; 17: 4 of 10, 6 of 10
    assert games_played() == 6 * 12 + 4 * 4 + 4 * 2 + 4 * 2 + 6 * 6
    grown = main("records", results(tmp_path)).stdout
    fresh = main("tournament", config, "-q", "--results", tmp_path / "results" / "fresh")
    assert fresh.returncode == 0
    assert main("records", tmp_path / "results" / "fresh").stdout == grown
    (tmp_path / "bots" / "eli.py").write_text(BOTS["ann"] + "# changed\n")
    assert "changed bots: eli; the old versions' games stay" in dry()
    assert games_played() == 6 * 12 + 4 * 4 + 4 * 2 + 4 * 2 + 6 * 6
    (tmp_path / "bots" / "eli.py").unlink()
    assert "removed bots: eli" in dry()
    assert "Nothing new to play; " in main("tournament", config).stderr.decode()
    store = Store.open(results(tmp_path))
    assert store.count() > SMALL_GAMES
    assert sum(bot.name == "eli" for bot in store.bots()) == 2
    store.close()
    assert len(main("records", results(tmp_path)).stdout.splitlines()) == SMALL_GAMES
    config.write_text(SMALL.replace("load_ms = 1500", "load_ms = 1600"))
    assert "changed: load_ms 1500 -> 1600; games under the old ones stay" in dry()
    assert findings(tmp_path) == []


def test_a_bot_s_hash_is_of_its_stored_source(league: Path) -> None:
    of_bob = "(SELECT source FROM bot WHERE name = 'bob')"
    alter(store_of(league), f"UPDATE bot SET source = {of_bob} WHERE name = 'ann'")
    assert findings(league) == ["ann: its source does not match its hash"]


@pytest.mark.parametrize("how", ["other options", "a key twice", "an end", "another caller"])
def test_a_stored_record_says_nothing_but_what_the_rules_make_of_it(league: Path, how: str) -> None:
    """The judge agrees with each, as it may be from elsewhere; no reader of a store takes it."""
    row, told = first(league), "is not the one that the rules make of its setup and actions"
    if how == "other options":
        row = row._replace(body=row.body[:-1] + b',"options":{"open_chips":true}}')
    elif how == "a key twice":
        row = row._replace(body=b'{"actions":[],' + row.body[1:])
    elif how == "an end":
        body = {**json.loads(row.body), "actions": [], "result": None}
        row, told = row._replace(body=json.dumps(body).encode()), "ends before the game does"
    else:
        with closing(Store.open(results(league))) as store:
            row = next(filter(None, map(with_another_caller, store.games())))
    assert judge_record(json.loads(row.line))
    change(league, row)
    assert f"game {row.id}: its record {told}" in findings(league)
    for words in (["replay", row.id], ["explain", row.id], ["publish", "--games", 99]):
        done = main(words[0], results(league), *words[1:])
        assert (done.returncode, f"its record {told}" in done.stderr.decode()) == (1, True), words


def with_another_caller(row: StoredGame) -> StoredGame | None:
    """A game of 17 in which one more wanted to call, says its record, and by the rules may have."""
    for call in re.finditer(rb',"17"\]', row.body):
        for seat in range(row.pool.players):
            body = row.body[: call.end() - 1] + b",[%d]]" % seat + row.body[call.end() :]
            with suppress(Divergence):
                judge_record(json.loads(row._replace(body=body).line))
                return row._replace(body=body)
    return None


def test_forfeits_that_the_record_does_not_have_are_found(league: Path) -> None:
    row = first(league)
    alter(store_of(league), "INSERT INTO fault VALUES (?, 1, 1, 'time', 3, '')", row.id)
    change(league, row._replace(faults=((1, "time", 3),)))
    assert f"game {row.id}: its faults: the store has [[3, 1]], its record []" in findings(league)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE game SET ranks = 'x' WHERE rowid = 3",
        "UPDATE game SET seating = '[0, 1, 9]' WHERE rowid = 3",
        "UPDATE game SET deal = 'x' WHERE rowid = 3",
        "UPDATE game SET index_in_chunk = index_in_chunk + 1 WHERE rowid = 3",
        "UPDATE game SET index_in_chunk = 'x' WHERE rowid = 3",
        "UPDATE game SET chunk = 999 WHERE rowid = 3",
        "UPDATE game SET chunk = chunk + 1 WHERE chunk = 1",
        "UPDATE chunk SET bodies = 12 WHERE id = 1",
        "UPDATE chunk SET bodies = (SELECT bodies FROM chunk WHERE id = 2) WHERE id = 1",
        "DELETE FROM chunk WHERE id = 1",
        "UPDATE game SET line_up = 999 WHERE rowid = 3",
        "UPDATE game SET id = 'x' WHERE rowid = 3",
        "UPDATE line_up SET bots = '[77, 1, 2]' WHERE id = 1",
        "UPDATE line_up SET bots = '[]' WHERE id = 1",
        "DELETE FROM line_up WHERE id = 1",
        "UPDATE pool SET options = 'x' WHERE id = 1",
        "UPDATE bot SET source = 'text' WHERE name = 'ann'",
        "UPDATE bot SET name = 'evil' WHERE name = 'ann'",
        "DELETE FROM bot WHERE name = 'ann'",
        "INSERT INTO fault SELECT id, 9, 1, 'time', 3, '' FROM game LIMIT 1",
        "UPDATE timing SET versions = 'x'",
        "UPDATE meta SET value = '{}' WHERE key = 'plan'",
        "DROP VIEW seat; CREATE VIEW seat AS SELECT 1",
        "ALTER TABLE game ADD COLUMN more",
        "CREATE TRIGGER evil AFTER INSERT ON game BEGIN UPDATE game SET deal = 0; END",
        "DROP TABLE chunk",
        "DROP TABLE fault",
        "DROP TABLE timing",
    ],
)
def test_whatever_is_changed_in_the_store_is_found_and_made_good(league: Path, harm: str) -> None:
    before = main("records", results(league)).stdout
    database = sqlite3.connect(results(league) / "arena.sqlite")
    database.executescript(harm)
    database.close()
    done = main("verify", results(league))
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode == 1 or "versions" in harm, done.stdout.decode()
    told = again(league)
    assert told.returncode == 0, told.stderr.decode()
    assert b"Traceback" not in told.stderr
    assert main("records", results(league)).stdout == before
    assert findings(league) == []


def test_without_its_secret_a_tournament_is_not_played_on(league: Path) -> None:
    alter(store_of(league), "DELETE FROM meta WHERE key = 'secret'")
    said = arena("verify", results(league))
    assert b"database: the secret of the deals is missing" in said.stdout
    refused = arena("tournament", league / "tournaments" / "cup.toml", "-q")
    assert refused.returncode == 1
    assert b"not the secret of their deals" in refused.stderr
    fresh = main("tournament", league / "tournaments" / "cup.toml", "-q", "--fresh")
    assert fresh.returncode == 0


@pytest.mark.long
def test_a_forfeit_in_the_window_is_not_blamed_on_who_was_asked_later(tmp_path: Path) -> None:
    """One calls at random; another errs whenever it is asked in a certain third of the games."""
    pool = "seed = 5\n[[games]]\ngame = 'diciassette'\nplayers = 3\ndeals = 4\n"
    bots = {"ann": source("fickle_in_windows"), "bob": source("errs_in_windows")}
    config = make(tmp_path, pool, {**bots, "cid": FIRST, "dee": FIRST})
    assert main("tournament", config, "-q").returncode == 0
    found = findings(tmp_path, "--replay-bots", 96)
    assert found
    assert not [each for each in found if "ann decided differently" not in each]


@pytest.mark.parametrize(("seed", "honest"), [(1, True), (2, False)])
def test_reshuffles_that_the_secret_does_not_give_are_found(seed: int, honest: bool) -> None:
    game, options = diciassette, diciassette.Options()
    dealt = game.deal(options, 2, Random(3))._replace(shuffle_seed=1)
    played = game.State(options, 2, dealt._replace(shuffle_seed=seed))
    while not played.used:
        long = len(played.row) > 20
        played.apply("17" if played.phase == game.WINDOW and long else played.legal()[0])
    for _ in range(20):  # what was drawn from the new pile is played
        played.apply(played.legal()[0])
    body = make_body(game, played, {})
    fixture = Fixture("0", (Bot("a", ""), Bot("b", "")), (0, 1), 0)
    record = json.loads(make_line(Pool("diciassette", 2, "{}", ""), fixture, [], body))
    assert judge_record({**record, "result": None})
    assert game_check.comes_to(game.State(options, 2, dealt), record) == honest
