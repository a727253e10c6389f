"""Nothing is taken on trust: what verify finds, what is played again, what is published."""

import csv
import gzip
import json
import os
import re
import sqlite3
import subprocess
import zlib
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyarrow import parquet

from arena.audit import game_check
from arena.model import Bot, Fixture, Pool
from arena.records.record import Divergence, judge_record, make_body, make_line
from arena.store.scan import StoredGame
from arena.store.store import Store
from games import diciassette, load
from tests.audit.findings import change_row, findings, results
from tests.leagues import (
    BOTS,
    PROGRAM,
    SMALL,
    SMALL_GAMES,
    Done,
    alter,
    copied,
    main,
    make,
    pairs,
    played_in,
    wait_for_games,
)
from tests.places import source
from tests.processes import children_of, command_of, memory_of
from tests.sessions import FIRST

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("without_refits")]


def store_of(league: Path) -> Path:
    return results(league) / "arena.sqlite"


def again(league: Path) -> Done:
    return main("tournament", league / "tournaments" / "cup.toml", "-q")


def first(league: Path, game: str = "no_thanks") -> StoredGame:
    with closing(Store.open(results(league))) as store:
        return next(row for row in store.games() if row.pool.game == game)


def secret_of(league: Path) -> bytes:
    with closing(Store.open(results(league))) as store:
        return bytes(store.meta("secret"))


def test_a_flipped_bit_in_a_chunk_costs_its_games_which_are_played_again(league: Path) -> None:
    before = main("records", results(league)).stdout
    with closing(sqlite3.connect(store_of(league))) as database, database:
        row, blob = next(database.execute("SELECT id, bodies FROM chunk ORDER BY random()"))
        harmed = bytearray(blob)
        harmed[len(harmed) // 2] ^= 4
        database.execute("UPDATE chunk SET bodies = ? WHERE id = ?", (bytes(harmed), row))
        own = {id for (id,) in database.execute("SELECT id FROM game WHERE chunk = ?", (row,))}
    assert 0 < len(own) < SMALL_GAMES
    found = {each for each in findings(results(league)) if each.startswith("game ")}
    assert found == {f"game {id}: is damaged: its checksum does not match" for id in own}
    games = "1 game is damaged" if len(own) == 1 else f"{len(own)} games are damaged"
    assert games in again(league).stderr.decode()
    assert main("records", results(league)).stdout == before
    assert findings(results(league)) == []


def test_ranks_that_the_record_does_not_give_are_found(league: Path) -> None:
    row = first(league)
    change_row(store_of(league), row._replace(ranks=json.dumps(json.loads(row.ranks)[::-1])))
    found = findings(results(league))
    assert any(f"game {row.id}: its ranks: the store has" in each for each in found), found


def test_a_game_that_was_never_dealt_so_is_found(league: Path) -> None:
    """A whole and legal record: the last card turned up is another, and so are the scores."""
    row, game = first(league), load("no_thanks")
    setup = json.loads(row.body)["setup"]
    deck, removed = setup["deck"], setup["removed"]
    deck[-1], setup["removed"] = removed[0], sorted([*removed[1:], deck[-1]])
    replayed = game.State(game.Options(), 3, game.parse_setup(game.Options(), 3, setup))
    for seat, action in json.loads(row.body)["actions"]:
        replayed.replay(seat, action)
    result = replayed.result()
    ranks, scores = json.dumps(result["ranks"]), json.dumps(result["scores"])
    row = row._replace(body=make_body(game, replayed, result), ranks=ranks, scores=scores)
    assert judge_record(json.loads(row.line))
    change_row(store_of(league), row)
    told = f"game {row.id}: its deal does not follow from the secret"
    assert told in findings(results(league))


def spoil(file: Path, page: int) -> None:
    with file.open("r+b") as stream:
        stream.seek(page * 4096)
        stream.write(b"\xa5" * 4096)


@pytest.mark.parametrize("place", [0.35, 0.95])
def test_a_damaged_page_is_found_and_what_it_held_is_played_again(
    league: Path, place: float
) -> None:
    before = main("records", results(league)).stdout
    spoil(store_of(league), int(store_of(league).stat().st_size // 4096 * place))
    assert any(found.startswith("database: ") for found in findings(results(league)))
    told = again(league)
    assert told.returncode == 0, told.stderr.decode()
    assert b"arena.sqlite.damaged" in told.stderr
    assert (results(league) / "arena.sqlite.damaged").exists()
    assert main("records", results(league)).stdout == before
    assert findings(results(league)) == []


def test_without_what_games_mean_nothing_without_it_says_so(league: Path) -> None:
    with closing(sqlite3.connect(store_of(league))) as database:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'bot'"
        (root,) = database.execute(query).fetchone()
    spoil(store_of(league), root - 1)
    done = again(league)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"its table `bot` is damaged" in done.stderr
    fresh = main("tournament", league / "tournaments" / "cup.toml", "-q", "--fresh")
    assert fresh.returncode == 0, fresh.stderr.decode()  # as the message says


def test_a_public_store_tells_all_but_secret_logs_and_sources(league: Path, tmp_path: Path) -> None:
    secret = secret_of(league)
    for name in "abc":
        words = ["--with-sources"] * (name == "c")
        done = main("export", results(league), "--to", tmp_path / name, *words)
        assert done.returncode == 0, done.stderr.decode()
        for file in filter(Path.is_file, (tmp_path / name).rglob("*")):
            content = file.read_bytes()
            content = gzip.decompress(content) if file.suffix == ".gz" else content
            assert not any(form in content for form in (secret, secret.hex().encode())), file
    for name in ("games.csv", "seats.csv", "standings.csv", "records.jsonl.gz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    whole = gzip.decompress((tmp_path / "a" / "records.jsonl.gz").read_bytes())
    assert whole == main("records", results(league)).stdout
    for to, kept in ((tmp_path / "a", False), (tmp_path / "c", True)):
        done = main("verify", to)
        assert done.returncode == 0, done.stdout.decode()
        assert b"the copy has no secret" in done.stdout
        with closing(Store.open(to)) as store:
            assert (store.source_of(store.bots()[0]) is not None) == kept
            for private in (
                "fault WHERE reason != ''",
                "timing WHERE printed != '' OR notes != '[]' OR ends != '[]'",
            ):
                assert list(store.db.execute(f"SELECT 1 FROM {private}")) == []
    for name in ("games", "seats"):
        told = list(csv.DictReader((tmp_path / "a" / f"{name}.csv").open()))
        table = parquet.read_table(tmp_path / "a" / f"{name}.parquet").to_pylist()
        assert [{key: str(value) for key, value in row.items()} for row in table] == told
        assert len({row["game_id"] for row in told}) == SMALL_GAMES
    (tmp_path / "a" / "arena-public.sqlite").rename(tmp_path / "a" / "arena.sqlite")
    refused = main("tournament", league / "tournaments" / "cup.toml", "--results", tmp_path / "a")
    assert refused.returncode == 2
    assert b"is a published copy" in refused.stderr


def test_the_secret_is_in_the_store_and_nowhere_else(league: Path) -> None:
    secret = secret_of(league)
    forms = (secret, secret.hex().encode(), zlib.compress(secret)[2:-4])
    for path in league.rglob("*"):
        if path.is_file() and not path.name.startswith("arena.sqlite"):
            content = path.read_bytes()
            assert not any(form in content for form in forms), path
    told = main("records", results(league)).stdout + main("logs", results(league), "ann").stdout
    assert not any(form in told for form in forms)


def test_no_process_of_a_bot_or_zygote_has_the_secret_in_its_memory(tmp_path: Path) -> None:
    config = make(tmp_path, SMALL.replace("deals = 2", "deals = 4000"))
    process = subprocess.Popen(
        [*PROGRAM, "tournament", str(config), "-q"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    wait_for_games(results(tmp_path), 1, process)
    family = children_of(process.pid)
    try:
        secret = secret_of(tmp_path)

        def memory_has(pid: int, what: bytes) -> bool | None:
            """None if it may not be looked at."""
            try:
                return any(what in part for part in memory_of(pid))
            except OSError:  # not ours to look at, or it has ended
                return None

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


def test_a_league_that_grows_has_the_records_of_one_that_was_as_large(tmp_path: Path) -> None:
    config = make(tmp_path, "seed = 5\n" + pairs(1))
    assert again(tmp_path).returncode == 0
    (tmp_path / "bots" / "eli.py").write_text(BOTS["bob"] + "# another\n")
    assert again(tmp_path).returncode == 0
    fresh = tmp_path / "results" / "fresh"
    assert main("tournament", config, "-q", "--results", fresh).returncode == 0
    assert main("records", fresh).stdout == main("records", results(tmp_path)).stdout


def test_a_bot_s_hash_is_of_its_stored_source(league: Path) -> None:
    of_bob = "(SELECT source FROM bot WHERE name = 'bob')"
    alter(store_of(league), f"UPDATE bot SET source = {of_bob} WHERE name = 'ann'")
    assert findings(results(league)) == ["ann: its source does not match its hash"]


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
    change_row(store_of(league), row)
    assert f"game {row.id}: its record {told}" in findings(results(league))
    every: list[list[Any]] = [["replay", row.id], ["explain", row.id], ["publish", "--games", 39]]
    for words in every if how == "an end" else every[:1]:
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
    change_row(store_of(league), row._replace(faults=((1, "time", 3),)))
    told = f"game {row.id}: its faults: the store has [[3, 1]], its record []"
    assert told in findings(results(league))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = '[[games]]\ngame = "{}"\nplayers = {}\ndeals = 1\n'
    config = "seed = 5\nworkers = 1\n" + game.format("no_thanks", 3) + game.format("sixteen", 2)
    return played_in(tmp_path_factory.mktemp("tiny"), config, BOTS).parents[1]


@pytest.mark.parametrize("harm", [
    "UPDATE game SET ranks = 'x' WHERE rowid = 3", "UPDATE game SET id = 'x' WHERE rowid = 3",
    "UPDATE game SET seating = '[0, 1, 9]' WHERE rowid = 3",
    "UPDATE game SET index_in_chunk = index_in_chunk + 1 WHERE rowid = 3",
    "UPDATE game SET chunk = chunk + 1 WHERE chunk = 1", "DELETE FROM line_up WHERE id = 1",
    "UPDATE game SET line_up = 999 WHERE rowid = 3", "DELETE FROM chunk WHERE id = 1",
    "UPDATE chunk SET bodies = (SELECT bodies FROM chunk WHERE id = 2) WHERE id = 1",
    "UPDATE chunk SET bodies = 12 WHERE id = 1", "UPDATE pool SET options = 'x' WHERE id = 1",
    "UPDATE line_up SET bots = '[77, 1, 2]' WHERE id = 1", "DELETE FROM bot WHERE name = 'ann'",
    "UPDATE bot SET name = 'evil' WHERE name = 'ann'", "UPDATE timing SET versions = 'x'",
    "INSERT INTO fault SELECT id, 9, 1, 'time', 3, '' FROM game LIMIT 1", "DROP TABLE timing",
    "UPDATE meta SET value = '{}' WHERE key = 'plan'", "ALTER TABLE game ADD COLUMN more",
    "DROP VIEW seat; CREATE VIEW seat AS SELECT 1", "DROP TABLE chunk",
    "CREATE TRIGGER evil AFTER INSERT ON game BEGIN UPDATE game SET deal = 0; END",
])  # fmt: skip
def test_whatever_is_changed_in_the_store_is_found_and_made_good(
    tiny: Path, tmp_path: Path, harm: str
) -> None:
    league = copied(tiny, tmp_path / "league")
    before = main("records", results(league)).stdout
    with closing(sqlite3.connect(store_of(league))) as database:
        database.executescript(harm)
    done = main("verify", results(league))
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode == 1 or "versions" in harm, done.stdout.decode()
    told = again(league)
    assert told.returncode == 0, told.stderr.decode()
    assert b"Traceback" not in told.stderr
    assert main("records", results(league)).stdout == before
    assert findings(results(league)) == []


def test_without_its_secret_a_tournament_is_not_played_on(league: Path) -> None:
    alter(store_of(league), "DELETE FROM meta WHERE key = 'secret'")
    said = main("verify", results(league))
    assert b"database: the secret of the deals is missing" in said.stdout
    refused = again(league)
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
    found = findings(results(tmp_path), "--replay-bots", 96)
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
