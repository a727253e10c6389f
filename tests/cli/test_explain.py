"""`arena explain`: what is named, what is printed, and what is kept."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.leagues import main
from tests.sessions import FIRST

FEW = ("--seconds", 1, "--seed", 1)

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time


@pytest.fixture(scope="module")
def game(cup: Path) -> str:
    listed = json.loads(main("games", cup, "--bot", "ann", "--lost", "--json").stdout)["games"]
    return str(listed[0]["game_id"])


class Exact(NamedTuple):
    found: dict[str, Any]
    told: str
    tests: str


@pytest.fixture(scope="module")
def exact(cup: Path, game: str) -> Exact:
    words = ("explain", cup, f"{game}:ann", "--hindsight", "--seconds", 600, "--seed", 1)
    found, told, tests = (main(*words, *as_).stdout for as_ in (["--json"], [], ["--as-test"]))
    return Exact(json.loads(found), told.decode(), tests.decode())


def test_a_game_is_explained_for_all_who_did_not_win_or_a_named_seat(cup: Path, game: str) -> None:
    found = json.loads(main("explain", cup, game[:8], "--json", *FEW).stdout)
    assert (found["game_id"], found["worlds"]) == (game, "fair")
    losers = [seat for seat, rank in enumerate(found["ranks"]) if rank > 1]
    assert [one["seat"] for one in found["seats"]] == losers
    found = json.loads(main("explain", cup, f"{game}:2", "--json", *FEW).stdout)
    assert [one["seat"] for one in found["seats"]] == [2]


def test_a_seat_is_named_by_its_bot_and_told_in_sentences(cup: Path, game: str) -> None:
    done = main("explain", cup, f"{game[:8]}:ann", *FEW)
    first, *_, last = done.stdout.decode().splitlines()
    assert re.fullmatch(rf"No Thanks! 3p.*, game {game[:8]}: ann ranked [23] of 3\.", first)
    again = rf"`\S+ play --from \S+ {game[:8]} --at \d+`"
    assert re.fullmatch(rf"Try it yourself, in ann's seat: {again}", last)
    assert re.search(rb"\d+ decisions looked at, [\d,]+ games played on, \d+ s\n", done.stderr)


def test_an_action_has_one_number_in_all_commands(cup: Path, game: str, exact: Exact) -> None:
    assert exact.found["worlds"] == "true cards"  # in hindsight
    assert exact.tests.startswith("from arena.testing import decide, view_of\n")
    compile(exact.tests, "test", "exec")
    (found,) = exact.found["seats"]
    named = [*map(int, re.findall(r"_action_(\d+)\(\)", exact.tests))]
    steps = {mark["action_number"]: mark["better"] for mark in found["mistakes"]}
    better = [f'assert decide("ann", view, confined=True) == "{steps[at]}"' for at in named]
    tested = [line.strip() for line in exact.tests.splitlines() if "assert" in line]
    assert tested == better != []
    runs = re.findall(r"^\d\. actions? ([\d, ]+):", exact.told, re.MULTILINE)
    assert all(str(at) in run.split(", ") for at, run in zip(named, runs, strict=True))
    steps = json.loads(main("replay", cup, game, "--json").stdout)["steps"]
    lines = main("replay", cup, game).stdout.decode().splitlines()
    made = {mark["action_number"]: mark["decision"] for mark in found["mistakes"]}
    for at in named:
        step = [steps[at][key] for key in ("action_number", "seat", "action")]
        assert step == [at, found["seat"], made[at]]
        said = re.escape(steps[at]["description"])
        assert [line for line in lines if re.fullmatch(rf" *{at}  ( *\d+%  | {{6}})?{said}", line)]
        state = json.loads(main("replay", cup, game, "--at", at, "--json").stdout)["state"]
        assert state["to_act"] == found["seat"]


def tree(folder: Path) -> dict[str, bytes]:
    """The files but for SQLite's own, which come and go with readers."""
    own = ("arena.sqlite-shm", "arena.sqlite-wal")
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in own]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


def test_what_was_found_is_kept_as_printed_and_nothing_else_written(fresh: Path, game: str) -> None:
    (fresh / "insight").touch()
    done = main("explain", fresh, f"{game}:ann", *FEW)
    told = b"; `arena publish` does not mark these decisions\n" in done.stderr
    assert (done.returncode, told) == (0, True), "a folder that cannot be written is no error"
    (fresh / "insight").unlink()
    before = tree(fresh)
    main("explain", fresh, f"{game}:ann", "--hindsight", *FEW)
    assert tree(fresh) == before
    printed = main("explain", fresh, f"{game}:ann", "--json", *FEW).stdout
    assert tree(fresh) == before | {f"insight/{game}.json": printed}
    assert main("explain", fresh, f"{game}:bob", *FEW).returncode == 0
    kept = json.loads(tree(fresh)[f"insight/{game}.json"])
    seats = [one["seat"] for one in kept["seats"]]
    assert seats == sorted(seats)
    assert {one["bot"] for one in kept["seats"]} == {"ann", "bob"}


def test_a_good_run_outlives_a_hurried_one_and_is_printed(
    fresh: Path, game: str, exact: Exact
) -> None:
    asked, file = ("explain", fresh, f"{game}:ann"), fresh / "insight" / f"{game}.json"
    found = json.loads(json.dumps(exact.found)) | {"worlds": "fair"}
    (one,) = found["seats"]
    one["games"] = 10**6
    file.parent.mkdir()
    file.write_text(json.dumps(found) + "\n")
    kept = file.read_bytes()
    said = b"kept: the earlier run of ann, 1,000,000 games, saw more; --as-test prints it\n"
    assert said in main(*asked, "--seconds", 1).stderr
    assert file.read_bytes() == kept == main(*asked, "--as-test", "--json").stdout
    again = main(*asked, "--as-test")
    assert again.stdout.decode() == exact.tests
    assert b"decisions looked at, as kept; --seconds N plays on\n" in again.stderr
    one["bot"] = found["pool"] = "\x1b[2J"
    found["not_reproduced"] = ["\x1b[2J"]
    for mark in one["mistakes"]:
        mark["view"] = {"card": "\x1b[2J"}
    file.write_text(json.dumps(found))
    assert main(*asked, "--as-test").stdout.decode() == exact.tests, "a view is the game's"
    one["mistakes"] = []
    file.write_text(json.dumps(found))
    told = main(*asked, "--as-test").stdout.decode()
    assert ("No costly decision found (" in told, "\x1b" in told) == (True, False)


def test_a_replay_has_chances_and_what_was_better_for_eyes_that_know(
    fresh: Path, game: str
) -> None:
    before = main("replay", fresh, game).stdout.decode().splitlines()
    found = json.loads(main("explain", fresh, f"{game}:ann", "--json", *FEW).stdout)
    (one,) = found["seats"]
    (at, _, share), *_ = one["shares_by_decision"]
    one["mistakes"] = [{
        "action_number": at, "unrecorded_decisions": 0, "decision": "pass", "better": "take",
        "loss": 0.2, "loss_se": 0.1, "unit": "beats", "decision_value": 0.5, "worlds": 99,
        "view": {},
    }]  # fmt: skip
    (fresh / "insight" / f"{game}.json").write_text(json.dumps(found))
    lines = main("replay", fresh, game).stdout.decode().splitlines()
    words = "      ann's pass cost 20 ±20 opponents in 100: take was better"
    place = next(number for number, line in enumerate(lines) if line.startswith(words))
    assert lines[place - 1].startswith(f"{at:>4}  {f'{100 * share:.0f}%':>4}  ann ")
    kept = [re.sub(r"^( *\d+  )( *\d+%  | {6})", r"\1", line) for line in lines]
    assert [line for line in kept if not line.startswith(words)] == before
    other = main("replay", fresh, game, "--as", (one["seat"] + 1) % 3)
    assert b"%" not in other.stdout + other.stderr
    assert b"cost" not in other.stdout


def test_what_was_found_is_in_no_copy_of_the_results(
    fresh: Path, game: str, tmp_path: Path
) -> None:
    (fresh / "insight").mkdir()
    (fresh / "insight" / f"{game}.json").write_text("nonsense")
    (tmp_path / "usb").mkdir()
    export = ("export", fresh, "--with-sources", "--to", tmp_path / "export")
    close = ("season", "close", fresh, "--yes", "--with-sources")
    for words in (("verify", fresh), export, ("backup", fresh, tmp_path / "usb"), close):
        assert main(*words).returncode == 0, words
    (archive,) = (fresh.parents[1] / "seasons").iterdir()
    copies = [*tree(tmp_path / "export"), *tree(tmp_path / "usb"), *tree(archive), *tree(fresh)]
    assert len(copies) > 20
    assert [name for name in copies if "insight" in name or name.endswith(f"{game}.json")] == []
    before = tree(tmp_path / "export")
    assert main("explain", tmp_path / "export", f"{game}:ann", *FEW).returncode == 0
    assert tree(tmp_path / "export") == before  # a published copy stays as it is


def test_a_bot_that_changed_is_explained_as_it_played(fresh: Path, game: str) -> None:
    (fresh.parents[1] / "bots" / "ann.py").write_text(FIRST + "\n")
    changed = b"ann.py has changed since it played; the version that played is explained\n"
    for words in ((f"{game}:ann",), ("ann", "--rule", "take -> pass when pot < 0")):
        done = main("explain", fresh, *words, *FEW)
        assert (done.returncode, changed in done.stderr) == (0, True)


def test_a_bot_s_rule_is_tested_and_told(cup: Path) -> None:
    rule = "pass -> take when card <= 9 and pot >= 1"
    words = ("explain", cup, "ann", "--seconds", 1, "--seed", 3, "--rule", rule)
    head, name, gain, *_ = main(*words).stdout.decode().splitlines()
    assert re.fullmatch(r"ann in No Thanks! \(3p.*\): 1 rule tested, (1 holds|0 hold)\.", head)
    assert name == f"1. {rule}"
    assert re.search(r"beats [\d.]+ ±[\d.]+ (more|fewer) opponents in 100", gain)
    (found,) = json.loads(main(*words, "--json").stdout)["advice"]
    (tested,) = found["confirmed"] + found["rejected"]
    assert (tested["rule"], found["rules_tested"], found["decisions"]) == (rule, 1, 0)
