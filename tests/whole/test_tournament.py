"""Tournaments from config to tables, through the command line: what a user meets."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.progress import Quiet
from arena.model import Bot, Entry, Limits, Pool
from arena.plan import plan
from arena.runner import run, tournament
from arena.schedule.order import Schedule, make_identity
from arena.store import schema
from tests.leagues import BOTS, NOW, SMALL, SMALL_GAMES, arena, main, make
from tests.places import source
from tests.schemas import wrong_in
from tests.sessions import CHANCE, FIRST


def lines(results: Path) -> list[bytes]:
    return main("records", results).stdout.splitlines()


def test_a_tournament_publishes_all_its_files_and_a_record_of_each_game(played: Path) -> None:
    files = {file.name for file in (played / "results" / "cup").iterdir()}
    (_, *sides) = schema.find_files(Path("arena.sqlite"))  # of tests that read now
    assert files - {side.name for side in sides} == {
        "arena.sqlite", "copies.txt", "history", "provenance.json", "standings.csv",
        "standings.html", "standings.json", "standings.md", "timing.csv",
    }  # fmt: skip
    records = lines(played / "results" / "cup")
    assert len({json.loads(record)["meta"]["id"] for record in records}) == SMALL_GAMES
    piped = main("judge", "-", stdin=b"\n".join(records))
    assert (piped.returncode, piped.stdout) == (0, b"records: 120 of 120 follow the rules\n")


def test_the_same_seed_gives_the_same_bytes(played: Path, tmp_path: Path) -> None:
    config = played / "tournaments" / "cup.toml"
    results = tmp_path / "again"
    again = ["tournament", config, "-q", "--results", results, "--workers", 3, "--no-pin"]
    done = arena(*again, environment={"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert lines(results) == lines(played / "results" / "cup")
    for name in ("standings.json", "standings.md", "standings.csv", "standings.html"):
        assert (results / name).read_bytes() == (played / "results" / "cup" / name).read_bytes()


def test_a_new_bot_plays_only_line_ups_with_it_and_a_changed_one_only_its_own(
    tmp_path: Path,
) -> None:
    config = make(tmp_path)
    results = tmp_path / "results" / "cup"
    main("tournament", config, "-q")
    before = set(lines(results))
    make(tmp_path, bots={"eve": FIRST})
    grown = main("tournament", config)
    # 5 bots: (10-4) x 12 no thanks, (10-6) x 4 and x 2 sixteen, (10-6) x 2 and (10-4) x 6 of 17
    assert b"140 games played" in grown.stderr
    assert before < set(lines(results))
    make(tmp_path, bots={"eve": CHANCE})
    assert b"140 games played" in main("tournament", config).stderr
    assert len(lines(results)) == 260  # the old version's games are out of the tables
    make(tmp_path, bots={"eve": FIRST})
    assert b"Nothing new to play" in main("tournament", config).stderr  # but they are kept
    (tmp_path / "bots" / "eve.py").unlink()
    main("tournament", config, "-q")
    assert set(lines(results)) == before


def test_with_mixed_partners_a_forfeit_costs_the_side_and_is_counted_for_whose_it_is(
    tmp_path: Path,
) -> None:
    text = 'game = "sixteen"\nplayers = 4\npartners = "mixed"\ndeals = 1\nshared_decks = true\n'
    bots = {**BOTS, "bob": source("divides_by_zero")}
    done = main("tournament", make(tmp_path, f"seed = 5\n[[games]]\n{text}", bots), "--json")
    (pool,) = json.loads(done.stdout)["pools"]
    assert (pool["title"], pool["games"]) == ("Sixteen 2v2 mixed", 24)
    rows = {row["bot"]: row for row in pool["table"]}
    faults = {bot: row["faults_total"] for bot, row in rows.items()}
    assert faults == {"ann": 0, "bob": 24, "cid": 0, "dee": 0}
    assert rows["bob"]["wins"] == 0
    wins = sum(row["wins"] for row in rows.values())
    assert wins == pytest.approx(2, abs=0.003)  # both of a team win
    played = [json.loads(line) for line in lines(tmp_path / "results" / "cup")]
    partners = [record["meta"]["bots"][seat::2] for record in played for seat in (0, 1)]
    assert sorted(map(sorted, partners)).count(["ann", "bob"]) == 8  # of 48 teams, 6 pairs
    assert rows["ann"]["mu"] > rows["bob"]["mu"]


def test_games_of_one_pool_keep_all_workers_busy() -> None:
    pool = Pool("no_thanks", 3, "{}", "")
    entry = Entry(pool, tuple(Bot(name, "") for name in "abc"), 50, "all", False)  # x 6
    planned = {pool: Schedule(entry, make_identity(entry, Limits()))}
    for workers, sizes in ((2, [150, 150]), (16, [100, 100, 100])):
        sessions = run.cut(run.Stage(planned, {pool: range(300)}), workers)
        assert [len(session) for _, session in sessions] == sizes


def test_fresh_starts_anew_and_keeps_the_old_results(tmp_path: Path) -> None:
    config = make(tmp_path, SMALL.replace("seed = 5\n", ""))
    main("tournament", config, "-q")
    old = lines(tmp_path / "results" / "cup")
    done = main("tournament", config, "--fresh")
    assert done.returncode == 0
    assert b"120 games played" in done.stderr
    (aside,) = (path for path in (tmp_path / "results").iterdir() if path.name != "cup")
    assert lines(aside) == old
    assert lines(tmp_path / "results" / "cup") != old  # a secret of its own


@pytest.mark.parametrize(
    ("text", "kind", "cause"),
    [
        ("def decide(view:", "load", "SyntaxError, dee.py line 1"),
        ("import os\nos._exit(0)", "load", "its process exited with status 0"),
        (source("divides_by_zero"), "error", "ZeroDivisionError, dee.py line 7"),
        ("def decide(view): return 'grab'", "illegal", "illegal decisions"),
        (source("last_words"), "crash", "its process died"),
    ],
)
def test_a_broken_bot_costs_its_own_games_and_nothing_else(
    played: Path, tmp_path: Path, text: str, kind: str, cause: str
) -> None:
    again = "; the next run tries to load it again" if cause.endswith("status 0") else ""
    config = make(tmp_path, bots={**BOTS, "dee": text})
    done = main("tournament", config)
    assert done.returncode == 0, done.stderr.decode()
    line = r"^dee: forfeits (?:all|\d+ of) 78 games \((.*?)\)(; the next run .*)?$"
    assert re.findall(line, done.stderr.decode(), re.M) == [(cause, again)]
    sound = [line for line in lines(played / "results" / "cup") if b'"dee"' not in line]
    assert [line for line in lines(tmp_path / "results" / "cup") if b'"dee"' not in line] == sound
    if kind == "crash":
        logs = main("logs", tmp_path / "results" / "cup", "dee").stdout
        assert b"its process exited with status 3" in logs
        assert b"last words" in logs  # what it printed before
    if kind == "error":
        for most, code in ((1, 3), (9999, 0)):
            assert main("tournament", config, "-q", "--max-faults", most).returncode == code


def test_a_dry_run_counts_and_writes_nothing(played: Path, tmp_path: Path) -> None:
    done = main("tournament", make(tmp_path), "--dry-run", "--json")
    assert done.returncode == 0, done.stderr.decode()
    pools = json.loads(done.stdout)["pools"]
    assert [pool["games"] for pool in pools] == [48, 24, 12, 12, 24]
    assert [pool["games_left"] for pool in pools] == [pool["games"] for pool in pools]
    assert all(pool["worker_s"] > 0 for pool in pools)
    assert not (tmp_path / "results").exists()
    again = main("tournament", played / "tournaments" / "cup.toml", "--dry-run")
    assert re.search(r"(?m)^ *all +120 +0 +0 s +0 bytes *$", again.stdout.decode())
    assert b"Too few games to tell neighbours apart usually." in again.stdout


def test_a_dry_run_points_out_a_bot_that_cannot_be_loaded(tmp_path: Path) -> None:
    bots = {**BOTS, "dee": f"{FIRST}\nraise LookupError('of its own')\n"}
    told = main("tournament", make(tmp_path, SMALL, bots), "--dry-run").stderr.decode()
    first, *more = told[told.index("dee: does not load") :].splitlines()
    assert first == "dee: does not load, so it will forfeit all its games:"
    assert "    LookupError: of its own" in more


def test_standings_print_the_tables_again_in_every_format(played: Path) -> None:
    results = played / "results" / "cup"
    assert main("standings", results, "--json").stdout == (results / "standings.json").read_bytes()
    for form, name in (("github", "md"), ("csv", "csv"), ("html", "html")):
        printed = main("standings", results, "--format", form).stdout
        assert printed == (results / f"standings.{name}").read_bytes()
    one_game = main("standings", results, "--json", "--game", "sixteen").stdout
    assert wrong_in("standings", json.loads(one_game)) == []


def test_what_is_not_ours_is_refused_and_kept(tmp_path: Path) -> None:
    config = make(tmp_path)
    results = tmp_path / "results" / "cup"
    results.mkdir(parents=True)
    (results / "thesis.txt").write_text("keep me")
    done = main("tournament", config)
    assert done.returncode == 2
    assert b"not a results folder" in done.stderr
    assert [p.name for p in results.iterdir()] == ["thesis.txt"]
    (results / "arena.sqlite").write_bytes(b"not a database, but long enough to be read as one" * 9)
    assert b"is not a results file" in main("tournament", config).stderr


def test_a_lost_worker_s_games_are_played_again(tmp_path: Path) -> None:
    """A bot kills its grandparent, the worker, once: as the kernel might for want of memory."""
    flag = tmp_path / "killed"
    killer = source("kills_its_worker_once").replace('"FLAG"', repr(str(flag)))
    planned = plan.plan_tournament(
        make(tmp_path, bots={**BOTS, "dee": killer}), NOW, confined=False
    )
    ended = tournament.play_tournament(planned, Quiet(), NOW)
    assert flag.exists()
    assert sum(pool.games for pool in ended.document.pools) == SMALL_GAMES


def test_logs_tell_the_author_where_it_failed_and_what_it_printed(tmp_path: Path) -> None:
    config = make(tmp_path, bots={**BOTS, "dee": source("talks")})
    main("tournament", config, "-q")
    results = tmp_path / "results" / "cup"
    told = main("logs", results, "dee", "--most", 3).stdout.decode()
    assert told.count("ZeroDivisionError") == 3
    assert "It was shown: View(table=" in told
    assert "loading: hello" in told
    assert "\x1b" not in told
    tagged = r"No Thanks! 3p: game ([0-9a-f]{20}), action (\d+): (at play \\x1b\[2J)"
    found = re.search(tagged, told)
    assert found
    id, action, words = found.groups()
    replayed = main("replay", results, id).stdout.decode().splitlines()
    (at,) = (number for number, line in enumerate(replayed) if line.startswith(f"{action:>4}  "))
    assert "dee" in replayed[at]
    assert f"      dee printed: {words}" in replayed[at + 1 : at + 3]
    fault = re.search(r"^game (\w+), seat \d, action (\d+): error$", told, re.MULTILINE)
    assert fault
    assert told.count(f"arena replay {results} {fault[1]} --at {fault[2]}\n") == 1


def test_a_pipe_that_is_closed_early_is_no_error_message(played: Path) -> None:
    piped = subprocess.run(
        f"{sys.executable} -m arena records {played / 'results' / 'cup'} | head -n 1",
        shell=True, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert piped.stderr == ""
    assert json.loads(piped.stdout)["v"] == 1


def test_another_seed_than_the_stored_one_is_refused_but_for_a_fresh_start(tmp_path: Path) -> None:
    config = make(tmp_path)
    assert main("tournament", config, "-q").returncode == 0
    config.write_text(SMALL.replace("seed = 5", "seed = 6"))
    for words in (["-q"], ["--dry-run"]):
        refused = main("tournament", config, *words)
        assert refused.returncode == 2
        assert b"was played with another seed" in refused.stderr
    fresh = main("tournament", config, "--dry-run", "--fresh", "--json")
    assert all(pool["games_left"] == pool["games"] for pool in json.loads(fresh.stdout)["pools"])
