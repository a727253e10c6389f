"""A tournament played in shards and merged: the same as one run, or one clear message."""

import json
import os
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.store import usage
from arena.store.chunk import Chunk
from arena.store.store import Store
from arena.store.taking import chunk_of
from arena.system.locks import lock
from tests.leagues import main, make
from tests.needs import needs_cluster
from tests.sessions import CHANCE, FIRST
from tests.sharded import bytes_of, planned, said, shard

CONFIG = """\
seed = 5

[limits]
load_ms = 1500

[[games]]
game = "no_thanks"
players = 3
deals = 2

[[games]]
game = "sixteen"
players = 2
deals = 2
duplicate = true
"""
GAMES = 10 * 6 * 2 + 9 * 2 * 2  # five bots; of ten pairs, nobody in one loads

FAILS = '''"""Says what it sees, and fails where it could take a low card."""


def decide(view):
    print("at", view.table)
    if view.game == "no_thanks" and view.card < 9:
        raise ValueError("too low")
    return view.legal[-1]
'''
BOTS = {
    "ann": CHANCE, "bob": FIRST, "cid": FAILS, "dud": "import nothing_there", "dun": "1 / 0",
}  # fmt: skip


def kept_of_bots(*results: Path) -> tuple[Counter[object], Counter[object]]:
    """Return what some stores keep for bots' authors: of faults, and of sessions."""
    faults, used = Counter[object](), Counter[object]()
    for each in results:
        with closing(Store.open(each)) as store:
            faults += Counter(store.db.execute("SELECT game, seat, kind, at, reason FROM fault"))
            used += Counter(usage.kept(store))
    return faults, used


@pytest.fixture(scope="module")
def sharded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with one whole run in results/whole, and three shards of another: read only."""
    league = tmp_path_factory.mktemp("sharded")
    config = make(league, CONFIG, BOTS)
    done = main("tournament", config, "-q", "--results", league / "results" / "whole")
    assert done.returncode == 0, done.stderr.decode()
    planned(league)
    for number in (1, 2, 3):
        done = shard(league, f"{number}/3")
        assert done.returncode == 0, done.stderr.decode()
        assert f"shard {number}/3 is in {league}/results/cup-{number}of3/" in done.stderr.decode()
    return league


@pytest.fixture
def league(sharded: Path, tmp_path: Path) -> Path:
    """A copy of that league, which a test may change."""
    return Path(shutil.copytree(sharded, tmp_path / "league"))


def parts(league: Path, *numbers: int) -> list[Path]:
    return [league / "results" / f"cup-{number}of3" for number in numbers or (1, 2, 3)]


def test_three_shards_merged_are_one_run_to_the_byte(league: Path) -> None:
    results = league / "results" / "cup"
    done = main("merge", results, *parts(league))
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == f"{results}/arena.sqlite\n"
    assert f"{GAMES:,} games merged, {GAMES:,} stored" in done.stderr.decode()
    whole = league / "results" / "whole"
    ours, theirs = bytes_of(results), bytes_of(whole)
    assert ours.keys() == theirs.keys()
    assert len(ours) > 8
    assert {name for name in ours if ours[name] != theirs[name]} == set()
    assert b'"kind"' in main("faults", results, "--json").stdout
    faults, used = kept_of_bots(results)
    assert (faults, used) == kept_of_bots(*parts(league))
    assert len(used) >= 3 * 5 * 2 - 8  # a session each of shards, bots and pools
    assert set(used.values()) == {1}, "and those that used nothing are sessions like others"
    with closing(Store.open(results)) as one, closing(Store.open(whole)) as other:
        assert one.bots() == other.bots()
        assert [one.source_of(bot) for bot in one.bots()] == [
            other.source_of(bot) for bot in other.bots()
        ]
        assert [used[:3] for used in usage.timings(one)] == [
            used[:3] for used in usage.timings(other)
        ]  # pool, bot, decisions
    again = main("tournament", league / "tournaments" / "cup.toml", "-q", "--json")
    assert again.returncode == 0
    assert again.stdout == (whole / "standings.json").read_bytes()
    assert main("verify", results).returncode == 0


def test_what_is_merged_twice_is_there_once(league: Path) -> None:
    results = league / "results" / "cup"
    assert main("merge", results, *parts(league)).returncode == 0
    before = bytes_of(results), rows_of(results)
    done = main("merge", results, *parts(league, 3, 1, 2), parts(league, 1)[0] / "arena.sqlite")
    assert done.returncode == 0, done.stderr.decode()
    assert f"0 games merged, {GAMES:,} stored" in done.stderr.decode()
    assert (bytes_of(results), rows_of(results)) == before


def rows_of(results: Path) -> dict[str, int]:
    """Return how many rows the tables of a store have."""
    with closing(Store.open(results)) as store:
        tables = ("bot", "pool", "line_up", "game", "chunk", "played_on", "fault", "timing")
        return {
            table: store.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables
        }


def test_they_merge_into_a_new_folder_where_nobody_planned(league: Path) -> None:
    """As on another machine, which has the files alone; then it is a tournament like any other."""
    results = league / "elsewhere" / "cup"
    done = main("merge", results, *parts(league))
    assert done.returncode == 0, done.stderr.decode()
    whole = league / "results" / "whole"
    assert (results / "standings.json").read_bytes() == (whole / "standings.json").read_bytes()
    config = league / "tournaments" / "cup.toml"
    again = main("tournament", config, "--results", results)
    assert b"0 games played" in again.stderr


def test_a_shard_is_played_on_a_cluster_like_a_whole_tournament(league: Path) -> None:
    needs_cluster()
    results, own = league / "results" / "new", league / "results" / "cluster"
    done = shard(league, "2/3", "--cluster", "local:2", "--results", own)
    assert done.returncode == 0, done.stderr.decode()
    assert f"shard 2/3 is in {own}/, for `arena merge`" in done.stderr.decode()
    with closing(Store.open(own)) as store:
        assert all("host" in usage.played_by(used) for used in usage.kept(store))
    assert main("merge", results, *parts(league, 1, 3), own).returncode == 0
    whole = league / "results" / "whole"
    ours, theirs = bytes_of(results), bytes_of(whole)
    assert {name for name in ours if ours[name] != theirs[name]} == set()


def test_shards_that_are_missing_are_named_and_nothing_is_written(league: Path) -> None:
    results = league / "results" / "cup"
    before = (results / "arena.sqlite").read_bytes()
    lines = said(main("merge", results, *parts(league, 1, 3)))
    with closing(Store.open(parts(league, 2)[0])) as store:
        left = store.count() + 4  # nobody knows yet that in one of its line-ups nobody loads
    assert lines == [
        f"shard 2/3 is missing: {left} games",
        f"{results}: nothing was merged; play or name what is missing, or take --partial: the rest "
        "can be merged, or played, later",
    ]
    assert (results / "arena.sqlite").read_bytes() == before
    new = league / "results" / "new"
    said(main("merge", new, *parts(league, 1, 3)))
    assert not new.exists()
    done = main("merge", results, *parts(league, 1, 3), "--partial")
    assert done.returncode == 0, done.stderr.decode()
    assert f"shard 2/3 is missing: {left} games" in done.stderr.decode()
    done = main("merge", results, *parts(league, 2))  # the others are there
    assert done.returncode == 0, done.stderr.decode()
    whole = league / "results" / "whole"
    assert (results / "standings.json").read_bytes() == (whole / "standings.json").read_bytes()


def test_a_shard_that_was_cut_off_is_named_and_goes_on_where_it_stopped(league: Path) -> None:
    """A worker's last chunks are not there, as after `kill -9`."""
    (own,) = parts(league, 2)
    with closing(Store.create_or_open(own)) as store:
        rows = list(store.games())
        store.drop(rows[len(rows) // 2 :])
    lost = len(rows) - len(rows) // 2
    lines = said(main("merge", league / "results" / "cup", *parts(league)))
    assert lines[0] == f"shard 2/3 lacks {lost} games"
    done = shard(league, "2/3")
    assert f"{lost} games played; shard 2/3" in done.stderr.decode()
    assert main("merge", league / "results" / "cup", *parts(league)).returncode == 0


def test_games_that_are_damaged_are_named_and_can_be_left_out(league: Path) -> None:
    (own,) = parts(league, 3)
    with closing(Store.open(own)) as store:
        bad = next(store.games()).id
    with closing(sqlite3.connect(own / "arena.sqlite")) as db, db:
        db.execute("UPDATE game SET deal = deal + 1 WHERE id = ?", (bad,))
    results = league / "results" / "cup"
    lines = said(main("merge", results, *parts(league)))
    assert lines[:2] == [
        f"{own}/arena.sqlite: game {bad}: is damaged: its checksum does not match",
        "shard 3/3 lacks 1 game",
    ]
    done = main("merge", results, *parts(league), "--partial")
    assert done.returncode == 0
    assert f"left out: {own}/arena.sqlite: game {bad}" in done.stderr.decode()
    done = main("tournament", league / "tournaments" / "cup.toml")
    assert b"1 games played" in done.stderr
    whole = league / "results" / "whole"
    assert (results / "standings.json").read_bytes() == (whole / "standings.json").read_bytes()


def test_a_game_that_somebody_made_up_is_found_by_the_rules(league: Path) -> None:
    """With a checksum that fits: all that the file says is what was written."""
    (own,) = parts(league, 1)
    with closing(Store.create_or_open(own)) as store:
        row = next(row for row in store.games() if not row.faults and row.ranks != "[1, 1]")
        ranks = json.dumps(json.loads(row.ranks)[::-1])
        store.drop([row])
        store.add(row.pool, chunk_of(row.pool, [row._replace(ranks=ranks)], {}))
    lines = said(main("merge", league / "results" / "cup", *parts(league)))
    assert f"game {row.id}: its ranks: the store has" in lines[0]
    assert lines[1] == "shard 1/3 lacks 1 game"


def test_a_bot_s_files_that_are_not_of_its_hash_are_found(league: Path) -> None:
    (own,) = parts(league, 1)
    with closing(Store.create_or_open(own)) as store:
        bot = store.bots()[0]
        store.keep_bot(bot, (("bot.py", b"1"),))
    lines = said(main("merge", league / "results" / "cup", *parts(league)))
    assert lines[0] == f"{own}/arena.sqlite: {bot.name}: its source does not match its hash"
    results = league / "results" / "new"
    assert main("merge", results, *parts(league), "--partial").returncode == 0
    assert main("verify", results).returncode == 0  # the others had it whole


def test_a_game_that_ended_otherwise_in_two_files_is_named_and_the_first_one_stays(
    league: Path,
) -> None:
    """As where a clock had a word in one of them."""
    results = league / "results" / "cup"
    assert main("merge", results, *parts(league), "-q").returncode == 0
    with closing(Store.create_or_open(results)) as store:
        row = next(row for row in store.games() if not row.faults and row.ranks != "[1, 1]")
        ranks = json.dumps(json.loads(row.ranks)[::-1])
        store.drop([row])
        store.add(row.pool, chunk_of(row.pool, [row._replace(ranks=ranks)], {}))
    done = main("merge", results, *parts(league), "-q")
    assert done.returncode == 0
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"warning: {league}/results/cup-")
    assert line.endswith(
        f"1 game ended otherwise than in {results}/arena.sqlite, where they stay as they are: "
        f"{row.id}"
    )
    with closing(Store.open(results)) as store:
        assert [each.ranks for each in store.found(row.id)] == [ranks]


def test_a_shard_s_damaged_file_is_mended_and_what_it_lost_played_again(league: Path) -> None:
    (own,) = parts(league, 2)
    file = own / "arena.sqlite"
    with closing(sqlite3.connect(file)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'fault'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    start = (page - 1) * size
    content[start : start + size] = bytes(size)
    file.write_bytes(content)
    done = shard(league, "2/3")
    assert done.returncode == 0, done.stderr.decode()
    assert "is damaged" in done.stderr.decode()
    results = league / "results" / "cup"
    assert main("merge", results, *parts(league), "-q").returncode == 0
    whole = league / "results" / "whole"
    assert (results / "standings.json").read_bytes() == (whole / "standings.json").read_bytes()


def test_copies_of_whole_tournaments_are_merged_too(league: Path) -> None:
    whole, copy = league / "results" / "whole", league / "results" / "copy"
    shutil.copytree(whole, copy)
    for place, half in ((whole, 0), (copy, 1)):
        with closing(Store.create_or_open(place)) as store:
            rows = list(store.games())
            store.drop(rows[half::2])
    left = GAMES - GAMES // 2
    lines = said(main("merge", league / "new", whole))
    assert lines[0] == f"{left} games of the plan would be missing"
    assert main("merge", league / "new", whole, copy).returncode == 0
    assert (league / "new" / "standings.json").read_bytes() == (
        whole / "standings.json"
    ).read_bytes()


def test_a_merge_that_is_cut_off_is_done_again(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = league / "results" / "cup"
    add, added = Store.add, list[int]()

    def cut_off(store: Store, pool: object, games: Chunk, host: str = "") -> None:
        if len(added) == 3:
            raise ArenaError("no room")
        added.append(len(games.ids))
        add(store, pool, games, host)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "add", cut_off)
    assert main("merge", results, *parts(league)).returncode == 1
    monkeypatch.undo()
    with closing(Store.open(results)) as store:
        assert store.count() == sum(added) > 0
    assert main("merge", results, *parts(league)).returncode == 0
    ours, theirs = bytes_of(results), bytes_of(league / "results" / "whole")
    assert {name for name in ours if ours[name] != theirs[name]} == set()
    whole = main("merge", league / "results" / "new", *parts(league))
    assert whole.returncode == 0
    assert rows_of(results) == rows_of(league / "results" / "new")


def test_files_of_another_tournament_are_refused_each_with_its_reason(
    league: Path, tmp_path: Path
) -> None:
    foreign = {
        "other secret": CONFIG.replace("seed = 5", "seed = 6"),
        "other limits": CONFIG.replace("load_ms = 1500", "load_ms = 1600"),
        "other deals": CONFIG.replace("deals = 2", "deals = 1", 1),
        "other name": 'name = "club"\n' + CONFIG,
    }
    places = {}
    for what, config in foreign.items():
        places[what] = tmp_path / what
        words = "tournament", make(tmp_path / f"{what} league", config, BOTS)
        assert main(*words, "-q", "--results", places[what]).returncode == 0
    other = make(tmp_path / "other bot", CONFIG, BOTS | {"ann": FIRST})
    places["other bot"] = tmp_path / "other ann"
    assert main("tournament", other, "-q", "--results", places["other bot"]).returncode == 0
    results = league / "results" / "new"
    first = parts(league, 1)[0] / "arena.sqlite"
    why = {
        "other secret": "its deals come of another secret",
        "other limits": "its bots played under other limits",
        "other deals": "its pools are planned otherwise",
        "other name": "it is of the tournament club, not cup",
        "other bot": "other bots play in it, or other versions: ann",
    }
    assert said(main("merge", results, *parts(league), *places.values())) == [
        f"{places[what]}/arena.sqlite: {why[what]}; it cannot go with {first}: leave it out"
        for what in places
    ]
    assert not results.exists()


def test_what_cannot_be_merged_is_said_in_one_line(league: Path) -> None:
    results, whole = league / "results" / "cup", league / "results" / "whole"
    copy = league / "copy"
    assert main("export", whole, "--to", copy).returncode == 0
    empty = league / "empty"
    empty.mkdir()
    others = league / "bots"
    held = lock(results)
    before = (results / "arena.sqlite").read_bytes()
    one = parts(league, 1)[0]
    (line,) = said(main("merge", results, *parts(league)))
    assert line == (
        f"{results}: another arena is playing here, process {os.getpid()}; wait for it, or merge "
        "into another folder"
    )
    assert (results / "arena.sqlite").read_bytes() == before
    os.close(held)
    for words, finding in (
        ((results, results, one), f"{results}: is what is merged into; name the other files"),
        ((results, copy), f"{copy}/arena-public.sqlite: is a published copy, without the secret"),
        ((results, empty), f"{empty}: no arena.sqlite in it; a results folder is results/NAME"),
        ((others, one), f"{others}: is not a results folder of arena's (no arena.sqlite in it)"),
        ((one, parts(league, 2)[0]), f"{one}/arena.sqlite: holds shard 1/3 alone; merge into"),
    ):
        (line,) = said(main("merge", *words))
        assert line.startswith(finding)
        assert "--results" not in line, "merge has no such option"
    assert main("merge", results, *parts(league)).returncode == 0
    with closing(Store.create_or_open(results)) as store:
        store.set_meta("revealed", 1)
    (line,) = said(main("merge", results, one))
    assert "its secret was revealed" in line


def test_a_shard_of_another_plan_is_refused_and_nothing_written(
    league: Path, tmp_path: Path
) -> None:
    file = league / "cup.plan"
    (league / "bots" / "ann.py").write_text(FIRST)
    (line,) = said(shard(league, "1/4"))
    assert line == (
        f"{file}: is not the plan of these bots and this config: changed bots: ann; have the same "
        "files on all hosts, or make the plan again"
    )
    (league / "bots" / "ann.py").write_text(CHANCE)
    config = league / "tournaments" / "cup.toml"
    for text, finding in (
        ("seed = 6" + CONFIG[8:], "was made with another seed than the config has"),
        (CONFIG[9:], "was made with another seed than the config has"),
        ('name = "club"\n' + CONFIG, "is of the tournament cup, the config is of club"),
        (CONFIG.replace("1500", "1600"), "changed: load_ms 1500 -> 1600"),
        (CONFIG.replace("deals = 2", "deals = 3", 1), "no_thanks 3p: deals 2 -> 3"),
    ):
        config.write_text(text)
        (line,) = said(shard(league, "1/4"))
        assert line.startswith(f"{file}: ")
        assert finding in line
    config.write_text(CONFIG)
    assert not (league / "results" / "cup-1of4").exists()
    one = parts(league, 1)[0]
    (line,) = said(shard(league, "2/3", "--results", one))
    assert line.startswith(f"{one}/arena.sqlite: holds shard 1/3, not 2/3")
    (line,) = said(shard(league, "2/3", "--results", league / "results" / "whole"))
    assert "holds no shard, but a whole tournament" in line
    (line,) = said(main("tournament", config, "--results", one))
    assert line.startswith(f"{one}/arena.sqlite: holds shard 1/3 of a tournament")
    other = make(tmp_path / "other", CONFIG.replace("seed = 5\n", ""), BOTS).parents[1]
    planned(other)
    (line,) = said(shard(other, "1/3", "--results", one))
    assert "holds a shard of another plan" in line


def test_words_that_do_not_go_together_are_said(league: Path) -> None:
    config, file = league / "tournaments" / "cup.toml", league / "cup.plan"
    for words, finding in (
        (("--shard", "0/3", "--plan", file), "--shard: found '0/3'; it takes I/N, such as 2/3"),
        (("--shard", "4/3", "--plan", file), "--shard: found '4/3'"),
        (("--shard", "2", "--plan", file), "--shard: found '2'"),
        (("--shard", "2/3"), "--shard: takes --plan FILE; `arena plan CONFIG --to FILE` writes"),
        (("--plan", file), "--plan: is for shards; say which with --shard I/N"),
        (("--shard", "2/3", "--plan", file, "--json"), "--json: a shard has no tables"),
        (("--shard", "2/3", "--plan", file, "--dry-run"), "--dry-run: a shard has no tables"),
        (("--shard", "2/3", "--plan", config), f"{config}: is no plan of arena's"),
        (("--shard", "2/3", "--plan", league / "no"), f"{league}/no: No such file or directory"),
    ):
        (line,) = said(main("tournament", config, *words))
        assert line.startswith(finding)
    (line,) = said(main("plan", config, "--to", config))
    assert line == f"{config}: is something else than a plan of arena's; name another file"
    assert config.read_text() == CONFIG


def test_a_shard_is_read_like_any_results_and_ends_by_itself(league: Path) -> None:
    one = parts(league, 1)[0]
    with closing(Store.open(one)) as store:
        games = store.count()
    told = main("verify", one)
    assert told.returncode == 0, told.stdout.decode()
    assert f"games: {games} of {games} are by the rules" in told.stdout.decode()
    assert f"cup: {games} of {games} games" in main("watch", one, "--once").stdout.decode()
    (line,) = said(main("reveal", one, "--yes"))
    assert line.startswith(f"{one}/arena.sqlite: holds shard 1/3 alone; merge the shards")
