"""`arena explain`: what is named, what is printed, and what is kept."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.site.replay_encoder import Cost, Review
from tests.leagues import main
from tests.sessions import FIRST
from tests.site.replays import encode_replay, sees

FEW = ("--seconds", 1, "--seed", 1)

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time


@pytest.fixture(scope="module")
def game(cup: Path) -> str:
    """The id of a game that ann lost."""
    listed = json.loads(main("games", cup, "--bot", "ann", "--lost", "--json").stdout)["games"]
    return str(listed[0]["game_id"])


class Exact(NamedTuple):
    """What is found of ann's decisions where all is tried: as JSON, told, and as tests."""

    found: dict[str, Any]
    told: str
    tests: str


@pytest.fixture(scope="module")
def exact(cup: Path, game: str) -> Exact:
    words = ("explain", cup, f"{game}:ann", "--hindsight", "--seconds", 600, "--seed", 1)
    found, told, tests = (main(*words, *as_).stdout for as_ in (["--json"], [], ["--as-test"]))
    return Exact(json.loads(found), told.decode(), tests.decode())


def test_a_game_is_explained_for_all_who_did_not_win_or_the_seat_that_is_named(
    cup: Path, game: str
) -> None:
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


def test_hindsight_has_the_true_cards_and_tests_have_the_better_decision(exact: Exact) -> None:
    assert exact.found["worlds"] == "true cards"
    steps = {mark["action_number"]: mark["better"] for mark in exact.found["seats"][0]["mistakes"]}
    named = re.findall(r"_action_(\d+)\(\)", exact.tests)
    compile(exact.tests, "test", "exec")
    assert exact.tests.startswith("from arena.testing import decide, view_of\n")
    assert named
    better = [f'assert decide("ann", view, confined=True) == "{steps[int(at)]}"' for at in named]
    assert [line.strip() for line in exact.tests.splitlines() if "assert" in line] == better


def test_an_action_has_one_number_in_explain_its_test_replay_and_the_viewer(
    cup: Path, game: str, exact: Exact
) -> None:
    """What the viewer makes of it: tests/browser/test_viewer.py."""
    (found,) = exact.found["seats"]
    named = [*map(int, re.findall(r"_action_(\d+)\(\)", exact.tests))]
    runs = re.findall(r"^\d\. actions? ([\d, ]+):", exact.told, re.MULTILINE)
    assert all(str(at) in run.split(", ") for at, run in zip(named, runs, strict=True))
    steps = json.loads(main("replay", cup, game, "--json").stdout)["steps"]
    lines = main("replay", cup, game).stdout.decode().splitlines()
    records = map(json.loads, main("records", cup).stdout.splitlines())
    record = next(each for each in records if each["meta"]["id"] == game)
    marks = {mark["action_number"]: mark for mark in found["mistakes"]}
    for at in named:
        seat, made, better = found["seat"], marks[at]["decision"], marks[at]["better"]
        assert record["actions"][at] == [seat, made]
        step = steps[at]
        assert (step["action_number"], step["seat"], step["action"]) == (at, seat, made)
        said = re.escape(step["description"])
        assert [line for line in lines if re.fullmatch(rf" *{at}  ( *\d+%  | {{6}})?{said}", line)]
        state = json.loads(main("replay", cup, game, "--at", at, "--json").stdout)["state"]
        assert state["to_act"] == seat
        shown = encode_replay(record, game, None, {}, Review([Cost(at, seat, 0, better, "")]))
        ((number, *_),) = shown["costs"]
        assert shown["asked"][number][:2] == [at, seat]
        said = [shown["words"][words] for eyes, words in shown["said"][at + 1] if sees(eyes, 0)]
        assert said == [step["description"]]


def tree(folder: Path) -> dict[str, bytes]:
    """The files but for SQLite's own, which come and go with readers."""
    own = ("arena.sqlite-shm", "arena.sqlite-wal")
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in own]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


def test_what_was_found_is_kept_as_printed_and_nothing_else_written(fresh: Path, game: str) -> None:
    before = tree(fresh)
    main("explain", fresh, f"{game}:ann", "--hindsight", *FEW)
    assert tree(fresh) == before
    printed = main("explain", fresh, f"{game}:ann", "--json", *FEW).stdout
    assert tree(fresh) == before | {f"insight/{game}.json": printed}
    assert main("explain", fresh, f"{game}:bob", *FEW).returncode == 0
    kept = json.loads(tree(fresh)[f"insight/{game}.json"])
    seats = [one["seat"] for one in kept["seats"]]
    assert [kept["bots"][seat] for seat in sorted(seats)] == [kept["bots"][seat] for seat in seats]
    assert {one["bot"] for one in kept["seats"]} == {"ann", "bob"}


def test_a_good_run_outlives_a_hurried_one_and_its_tests_are_printed_without_playing(
    fresh: Path, game: str, exact: Exact
) -> None:
    asked, file = ("explain", fresh, f"{game}:ann"), fresh / "insight" / f"{game}.json"
    found = json.loads(json.dumps(exact.found)) | {"worlds": "fair"}
    found["seats"][0]["games"] = 10**6
    file.parent.mkdir()
    file.write_text(json.dumps(found) + "\n")
    kept = file.read_bytes()
    said = b"kept: the earlier run of ann, 1,000,000 games, saw more; --as-test prints it\n"
    assert said in main(*asked, "--seconds", 1).stderr
    assert file.read_bytes() == kept
    again = main(*asked, "--as-test")
    assert again.stdout.decode() == exact.tests
    assert b"decisions looked at, as kept; --seconds N plays on\n" in again.stderr
    assert main(*asked, "--as-test", "--json").stdout == kept
    assert b"played on, " in main(*asked, "--as-test", "--seconds", 1).stderr
    found["seats"][0] |= {"bot": "\x1b[2J"}
    found |= {"pool": "\x1b[2J", "not_reproduced": ["\x1b[2J"]}
    for mark in found["seats"][0]["mistakes"]:
        mark["view"] = {"card": "\x1b[2J"}
    file.write_text(json.dumps(found))
    assert main(*asked, "--as-test").stdout.decode() == exact.tests, "a view is the game's"
    found["seats"][0]["mistakes"] = []
    file.write_text(json.dumps(found))
    told = main(*asked, "--as-test").stdout.decode()
    assert "No costly decision found (" in told
    assert "\x1b" not in told


def test_a_replay_has_the_chances_and_what_was_better_for_eyes_that_know_it(
    fresh: Path, game: str
) -> None:
    before = main("replay", fresh, game).stdout.decode().splitlines()
    found = json.loads(main("explain", fresh, f"{game}:ann", "--json", *FEW).stdout)
    (one,) = found["seats"]
    (at, _, share), *_ = one["shares_by_decision"]
    mark = {
        "action_number": at, "unrecorded_decisions": 0, "decision": "pass", "better": "take",
        "loss": 0.2, "loss_se": 0.1,
    }  # fmt: skip
    one["mistakes"] = [mark | {"unit": "beats", "decision_value": 0.5, "worlds": 99, "view": {}}]
    (fresh / "insight" / f"{game}.json").write_text(json.dumps(found))
    done = main("replay", fresh, game)
    told, lines = done.stderr.decode(), done.stdout.decode().splitlines()
    words = "      ann's pass cost 20 ±20 opponents in 100: take was better"
    place = next(number for number, line in enumerate(lines) if line.startswith(words))
    assert lines[place - 1].startswith(f"{at:>4}  {f'{100 * share:.0f}%':>4}  ann ")
    kept = [re.sub(r"^( *\d+  )( *\d+%  | {6})", r"\1", line) for line in lines]
    assert [line for line in kept if not line.startswith(words)] == before
    looked = len(one["shares_by_decision"])
    assert f"ann: {looked - 1} of {looked} decisions were as good as the best found." in told
    other = main("replay", fresh, game, "--as", (one["seat"] + 1) % 3)
    assert b"%" not in other.stdout + other.stderr
    assert b"cost" not in other.stdout


def test_a_folder_that_cannot_be_written_is_said_and_no_error(fresh: Path, game: str) -> None:
    (fresh / "insight").write_text("a file")
    done = main("explain", fresh, f"{game}:ann", *FEW)
    assert done.returncode == 0
    why = f"{fresh}/insight: cannot be written (is a link or no folder; move it away)"
    assert f"{why}; `arena publish` does not mark these decisions\n" in done.stderr.decode()
    assert done.stdout


def test_what_was_found_is_in_no_copy_of_the_results_and_no_part_of_them(
    fresh: Path, game: str, tmp_path: Path
) -> None:
    (fresh / "insight").mkdir()
    (fresh / "insight" / f"{game}.json").write_text("nonsense")
    (tmp_path / "usb").mkdir()
    for words in (
        ("verify", fresh),
        ("export", fresh, "--with-sources", "--to", tmp_path / "export"),
        ("backup", fresh, tmp_path / "usb"),
        ("season", "close", fresh, "--yes", "--with-sources"),
    ):
        done = main(*words)
        assert done.returncode == 0, done.stderr
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


def test_a_bot_that_left_is_not_in_the_tables_any_more(fresh: Path) -> None:
    league = fresh.parents[1]
    (league / "bots" / "ann.py").rename(league / "bots" / "eve.py")
    assert main("tournament", league / "tournaments" / "cup.toml").returncode == 0
    for words in ((), ("--rule", "pass -> take")):
        done = main("explain", fresh, "ann", *words)
        said = "ann: did not play in the last run; name a bot that did\n"
        assert (done.returncode, done.stderr.decode()) == (2, said)


def test_a_bot_s_rule_is_tested_and_told(cup: Path) -> None:
    words = ("explain", cup, "ann", "--seconds", 1, "--seed", 3)
    rule = "pass -> take when card <= 9 and pot >= 1"
    done = main(*words, "--rule", rule)
    assert done.returncode == 0, done.stderr
    head, name, gain, *_ = done.stdout.decode().splitlines()
    assert re.fullmatch(r"ann in No Thanks! \(3p.*\): 1 rule tested, (1 holds|0 hold)\.", head)
    assert name == f"1. {rule}"
    assert re.search(r"beats [\d.]+ ±[\d.]+ (more|fewer) opponents in 100", gain)
    (found,) = json.loads(main(*words, "--rule", rule, "--json").stdout)["advice"]
    (tested,) = found["confirmed"] + found["rejected"]
    assert (tested["rule"], found["rules_tested"], found["decisions"]) == (rule, 1, 0)


def test_all_mistakes_of_all_rules_are_said_before_anything_is_played(cup: Path) -> None:
    """A single mistake, and other wrong words: tests/expected/refused.txt."""
    done = main("explain", cup, "ann", "--rule", "pas -> take when pots > 3", "--rule", "pass -> x")
    assert done.returncode == 2
    one, two, three = done.stderr.decode().splitlines()
    assert one.startswith("--rule 1: column 1: 'pas' matches no decision of No Thanks!; ")
    assert two.startswith("--rule 1: column 18: 'pots': no such field; the nearest are pot, ")
    assert three.startswith("--rule 2: column 9: 'x' matches no decision")
