"""The secret is revealed when all is played, on purpose, once and for all."""

import hashlib
import io
import json
import shutil
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from arena import ids
from arena.cli import terminal
from arena.model import Week
from arena.store.history import KeptWeek, read_weeks
from arena.store.plans import load_plan
from arena.store.store import Store
from arena.tables.history import make_week
from arena.tables.results import compute_standings
from arena.typed_json import decode
from tests.leagues import THREE, Done, alter, main, make, pairs

CONFIG = pairs(2)
CUP = Path("results") / "cup"
IS_FIRST = "rowid = (SELECT min(rowid) FROM game)"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    """A league that was played with a secret, and what its first run said."""
    folder = tmp_path_factory.mktemp("secret")
    return folder, main("tournament", make(folder, CONFIG, THREE), "-q")


@pytest.fixture
def league(kept: tuple[Path, Done], tmp_path: Path) -> Path:
    """A copy of that league, which a test may change."""
    return Path(shutil.copytree(kept[0], tmp_path / "league"))


def meta(league: Path, key: str) -> Any:
    with closing(Store.open(league / CUP)) as store:
        return store.meta(key)


def again(league: Path, *words: object) -> Done:
    return main("tournament", league / "tournaments" / "cup.toml", "-q", *words)


def grow(league: Path) -> None:
    config = league / "tournaments" / "cup.toml"
    config.write_text(config.read_text().replace("deals = 2", "deals = 3"))


def files(league: Path) -> dict[str, bytes]:
    others = ("provenance.json", "arena.sqlite-shm", "arena.sqlite-wal")
    found = [path for path in (league / CUP).iterdir() if path.is_file()]
    return {path.name: path.read_bytes() for path in found if path.name not in others}


def test_a_run_says_its_commitment_until_a_game_is_played(
    kept: tuple[Path, Done], league: Path
) -> None:
    """So that the first can be ended at once, and the commitment published before any game."""
    committed = ids.commit("cup", meta(league, "secret"))
    assert kept[1].stderr.decode().splitlines() == [
        f"Commitment: {committed}",
        "Publish this hash now; later it proves that the deals were fixed before play.",
    ]
    assert json.loads((league / CUP / "standings.json").read_bytes())["commitment"] == committed
    assert again(league).stderr == b""
    alter(league / CUP / "arena.sqlite", "DELETE FROM game")
    assert again(league).stderr.decode().startswith(f"Commitment: {committed}\n")


def test_a_given_seed_and_a_match_say_none_and_a_match_keeps_no_weeks(tmp_path: Path) -> None:
    config = make(tmp_path, "seed = 5\n" + CONFIG, THREE)
    words = ("match", "ann", "bob", "--game", "sixteen", "--games", 8, "-q")
    assert main(*words, cwd=tmp_path).stderr == b""
    assert not [*(tmp_path / "results").glob("*/history")]
    assert main("tournament", config, "-q").stderr == b""


def test_without_a_terminal_it_takes_yes_and_else_writes_nothing(league: Path) -> None:
    before = files(league)
    done = main("reveal", league / CUP)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"ends the tournament for good" in done.stderr
    assert b"Nothing was revealed; add --yes to confirm" in done.stderr
    assert files(league) == before
    assert meta(league, "revealed") is None


@pytest.mark.parametrize(("typed", "agreed"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_at_a_terminal_it_asks(
    league: Path, monkeypatch: pytest.MonkeyPatch, typed: str, agreed: bool
) -> None:
    confirm = terminal.confirm

    def asked(*given: Any) -> None:
        monkeypatch.setattr(sys, "stdin", Mock(wraps=io.StringIO(typed), isatty=lambda: True))
        confirm(*given)

    monkeypatch.setattr("arena.cli.audit.confirm", asked)
    done = main("reveal", league / CUP)
    assert done.returncode == (0 if agreed else 1), done.stderr.decode()
    assert (league / CUP / "secret.json").exists() == agreed
    assert b"Reveal the secret? [y/N]" in done.stderr
    assert (b"Nothing was revealed." in done.stderr) != agreed


def test_what_it_writes_is_the_secret_and_how_it_gives_the_commitment(league: Path) -> None:
    before = files(league)
    done = main("reveal", league / CUP, "--yes")
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == f"{league / CUP / 'secret.json'}\n"
    told = json.loads((league / CUP / "secret.json").read_bytes())
    parts = ["arena commitment", 1, told["tournament"], told["seeds"], told["secret"]]
    text = json.dumps(parts, separators=(",", ":"))
    assert told["commitment"] == "v1:" + hashlib.sha256(text.encode()).hexdigest()
    assert told["secret"] == meta(league, "secret").hex()
    now = files(league)
    assert {name for name in before if now[name] != before[name]} <= {"arena.sqlite"}
    twice = main("reveal", league / CUP)  # which asks nothing any more
    assert (twice.returncode, b"already revealed" in twice.stderr) == (0, True)
    assert json.loads((league / CUP / "secret.json").read_bytes()) == told


def test_once_it_is_revealed_no_further_game_is_played(league: Path) -> None:
    assert main("reveal", league / CUP, "--yes").returncode == 0
    assert again(league).returncode == 0  # which notes that all games are sound
    before = files(league)
    assert again(league).returncode == 0  # nothing is left to play, and the tables are written
    assert files(league) == before
    grow(league)
    for words in ((), ("--dry-run",)):
        done = again(league, *words)
        assert done.returncode == 2, done.stderr.decode()
        assert b"6 games of its plan cannot be played, because the secret of" in done.stderr
        assert b"--fresh" in done.stderr
    assert files(league) == before
    for command in ("standings", "records", "verify", "audit"):
        assert main(command, league / CUP).returncode == 0
    fresh = again(league, "--fresh")
    assert fresh.returncode == 0
    assert fresh.stderr.startswith(b"Commitment: v1:")
    assert meta(league, "revealed") is None


def test_a_run_that_was_killed_before_the_file_is_over_and_revealed_again_through_no_link(
    league: Path, tmp_path: Path
) -> None:
    alter(league / CUP / "arena.sqlite", "INSERT INTO meta VALUES ('revealed', 1)")
    grow(league)
    assert again(league).returncode == 2
    mine = tmp_path / "mine"
    mine.write_bytes(b"precious")
    for name in ("secret.json", ".secret.json.draft"):
        (league / CUP / name).symlink_to(mine)
    assert main("reveal", league / CUP).returncode == 0
    assert mine.read_bytes() == b"precious"
    assert not (league / CUP / "secret.json").is_symlink()


def test_a_store_put_back_from_before_it_is_held_to_the_secret_s_file(league: Path) -> None:
    store = league / CUP / "arena.sqlite"
    older = store.read_bytes()
    assert main("reveal", league / CUP, "--yes").returncode == 0
    for side in ("-wal", "-shm"):
        Path(f"{store}{side}").unlink(missing_ok=True)
    store.write_bytes(older)
    assert meta(league, "revealed") is None
    grow(league)
    assert again(league).returncode == 2


def test_games_that_are_missing_are_said_to_be_lost_with_it(league: Path) -> None:
    alter(league / CUP / "arena.sqlite", f"DELETE FROM game WHERE {IS_FIRST}")
    said = b"1 game of its plan can then never be played"
    for code, words in ((2, ()), (0, ("--yes",))):
        done = main("reveal", league / CUP, *words)
        assert (done.returncode, said in done.stderr) == (code, True)
    assert b"1 game of its plan cannot be played" in again(league).stderr


def test_a_damaged_game_is_not_played_again_after_it(league: Path) -> None:
    assert main("reveal", league / CUP, "--yes").returncode == 0
    alter(league / CUP / "arena.sqlite", f"UPDATE game SET deal = 77 WHERE {IS_FIRST}")
    before = (league / CUP / "standings.md").read_bytes()
    done = again(league)
    assert done.returncode == 2
    assert b"1 game damaged, and cannot be played again because the secret was" in done.stderr
    assert (league / CUP / "standings.md").read_bytes() == before


def test_another_name_is_another_commitment_and_is_warned_of(league: Path) -> None:
    was = ids.commit("cup", meta(league, "secret"))
    config = league / "tournaments" / "cup.toml"
    config.write_text('name = "trophy"\n' + config.read_text())
    said = again(league, "--results", league / CUP).stderr.decode()
    now = ids.commit("trophy", meta(league, "secret"))
    assert now != was
    assert f"cup is now called trophy, which changes its commitment to {now}" in said
    assert json.loads((league / CUP / "standings.json").read_bytes())["commitment"] == now


def test_a_config_that_takes_another_s_tables_says_so_first(league: Path) -> None:
    cup, other = league / "tournaments" / "cup.toml", league / "tournaments" / "b.toml"
    other.write_text('name = "cup"\n' + cup.read_text().replace("deals = 2", "deals = 1"))
    said = f"{league / CUP} holds the tables of {{}}; {{}} replaces them; to keep both, give one "
    for config, before in ((other, "tournaments/cup.toml"), (cup, "tournaments/b.toml")):
        done = main("tournament", config, "-q", cwd=league)
        assert done.stderr.decode().startswith(said.format(before, config))
        assert main("tournament", config, "-q", cwd=league).stderr == b""  # its own tables


def test_that_newcomers_cost_the_others_deals_is_said(league: Path) -> None:
    for number in range(4):
        (league / "bots" / f"own{number}.py").write_text(THREE["ann"] + f"# own {number}\n")
    now = b"a line-up now plays 2 deals, not 4"
    for some, said in (("[0-2]", False), ("[0-3]", True), ("[0-3]", False)):
        config = league / "tournaments" / "few.toml"
        config.write_text(pairs(4).replace("deals", "max_games = 24\ndeals"))
        config.write_text(f'seed = 1\nbots = ["bots/own{some}.py"]\n{config.read_text()}')
        done = main("tournament", config, "-q", cwd=league)
        assert (done.returncode, now in done.stderr) == (0, said), done.stderr


def test_what_has_no_secret_of_its_own_cannot_be_revealed(league: Path, tmp_path: Path) -> None:
    assert main("export", league / CUP, "--to", tmp_path / "copy").returncode == 0
    for place, said in (
        (tmp_path / "copy", b"is a published copy"),
        (league / "nothing", b"a results folder is results/NAME"),
    ):
        done = main("reveal", place, "--yes")
        assert (done.returncode, said in done.stderr) == (2, True)
    assert not (league / "nothing").exists()


def test_whoever_writes_to_a_store_that_others_may_read_is_told_until_it_is_revealed(
    league: Path,
) -> None:
    store = league / CUP / "arena.sqlite"
    store.chmod(0o640)
    assert again(league).stderr.decode() == (
        f"warning: {store}: other users can read it (mode 0640), including the secret "
        f"of the deals; keep them out: chmod go-rwx {store}*\n"
    )
    store.chmod(0o600)
    (log := store.with_name("arena.sqlite-wal")).touch(0o604)  # as a kill leaves it
    assert again(league).stderr.decode().startswith(f"warning: {log}: other users can read it")
    store.chmod(0o644)
    assert b"other users" not in main("reveal", league / CUP, "--yes").stderr
    assert again(league).stderr == b""


def weeks(league: Path) -> list[KeptWeek]:
    """Return the weeks in the store, which are those in the folder."""
    with closing(Store.open(league / CUP)) as store:
        kept, damaged = read_weeks(store)
    assert damaged == []
    there = sorted((league / CUP / "history").iterdir())
    assert [path.name for path in there] == [f"{week.number:04}.json" for week, _ in kept]
    assert [decode(path.read_bytes(), Week) for path in there] == [week for week, _ in kept]
    return kept


def change(league: Path, bot: str) -> None:
    with (league / "bots" / f"{bot}.py").open("a") as file:
        file.write("# changed\n")


MONDAY = datetime.fromisoformat("2026-11-09T09:00:00+01:00")


def test_each_run_to_the_end_is_a_week_and_its_tables_are_made_again_from_the_store(
    league: Path,
) -> None:
    change(league, "bob")
    words = main("tournament", league / "tournaments" / "cup.toml", "--label", "week 2", now=MONDAY)
    assert words.stderr.decode().endswith('\nKept as "week 2" (2026-11-09).\n')
    (first, _), (second, plan) = kept = weeks(league)
    assert (first.name, second.name, first.games) == ("2026-11-02", "week 2", second.games)
    assert first.time == "2026-11-02T09:00:00+01:00"
    assert first.bots["bob"] != second.bots["bob"]
    with closing(Store.open(league / CUP)) as store:
        for week, then in kept:
            made = make_week(compute_standings(store, plan=then), week.time, week.label)
            assert replace(made, number=week.number) == week
        assert load_plan(store) == plan


def test_where_nothing_is_new_there_is_no_further_week(league: Path) -> None:
    (before,) = weeks(league)
    (league / CUP / "history" / "0001.json").unlink()
    assert main("tournament", league / "tournaments" / "cup.toml", now=MONDAY).returncode == 0
    assert weeks(league) == [before]


def test_a_second_run_of_a_label_or_day_replaces_the_week_and_says_so_of_another_day(
    league: Path,
) -> None:
    change(league, "bob")
    assert again(league).stderr == b""
    change(league, "bob")
    assert again(league, "--label", "x").stderr == b""
    change(league, "bob")
    refused = again(league, "--label", "2026-11-02", "--fresh")
    assert (refused.returncode, [*(league / "results").iterdir()]) == (2, [league / CUP])
    done = main("tournament", league / "tournaments" / "cup.toml", "--label", "x", now=MONDAY)
    assert b'"x" of 2026-11-02 is replaced; --label names a new week\n' in done.stderr
    assert [week.name + week.day for week, _ in weeks(league)] == ["2026-11-02" * 2, "x2026-11-09"]


def test_after_the_league_closes_a_run_keeps_when_its_bots_were_taken(league: Path) -> None:
    config = league / "tournaments" / "cup.toml"
    config.write_text("entries_close = 2026-11-09T08:00:00Z\n" + config.read_text())
    assert main("tournament", config, "-q", now=MONDAY).returncode == 0
    with closing(Store.open(league / CUP)) as store:
        assert str(load_plan(store).run_began) == "2026-11-02 09:00:00+01:00"


def test_a_label_of_an_earlier_week_is_refused_before_anything_is_played(league: Path) -> None:
    for label in ("a", "b"):
        assert again(league, "--label", label).returncode == 0
    grow(league)
    before = files(league)
    done = again(league, "--label", "a")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b'--label: "a" is a week of 2026-11-02; choose another' in done.stderr
    assert files(league) == before


def test_a_run_that_leaves_games_out_is_no_week(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(league, "bob")
    monkeypatch.setattr("arena.runner.run.play_missing", lambda *_: (3, 2, True))
    assert again(league, "--label", "x").returncode == 130
    assert len(weeks(league)) == 1


def test_the_folder_one_is_in_is_not_set_aside(league: Path) -> None:
    config = league / "tournaments" / "cup.toml"
    for named, inside in ((".", CUP), ("..", CUP / "history")):
        done = main("tournament", config, "--fresh", "--results", named, cwd=league / inside)
        said = f"{named}: cannot be renamed from inside; name it by its path from another folder\n"
        assert (done.returncode, done.stderr.decode()) == (2, said)
    assert [*(league / "results").iterdir()] == [league / CUP]


def test_a_damaged_week_is_said_and_the_run_goes_on(league: Path) -> None:
    alter(league / CUP / "arena.sqlite", "UPDATE meta SET value = x'00' WHERE key = 'history 0001'")
    done = again(league)
    assert done.returncode == 0
    assert b"week 1 is damaged" in done.stderr
