"""`arena explain`: what is named, what is printed, and what is refused."""

import json
import re
import shutil
from pathlib import Path

import pytest

from arena.site.replay_encoder import Cost, Review
from tests.leagues import copied, main, played_in
from tests.sessions import FIRST
from tests.site.replays import encode_replay, sees

CONFIG = """\
seed = 5
[[games]]
game = "no_thanks"
players = 3
deals = 1
"""
FEW = ("--seconds", 2, "--seed", 1)

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bots = {"ann": FIRST, "bob": FIRST, "cid": FIRST}
    return played_in(tmp_path_factory.mktemp("explain"), CONFIG, bots)


@pytest.fixture(scope="module")
def game(folder: Path) -> str:
    """The id of a game that ann lost."""
    listed = json.loads(main("games", folder, "--bot", "ann", "--lost", "--json").stdout)["games"]
    return str(listed[0]["game_id"])


def test_a_game_is_explained_for_all_who_did_not_win(folder: Path, game: str) -> None:
    done = main("explain", folder, game[:8], "--json", *FEW)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert (found["game_id"], found["worlds"]) == (game, "fair")
    losers = [seat for seat, rank in enumerate(found["ranks"]) if rank > 1]
    assert [one["seat"] for one in found["seats"]] == losers


def test_a_seat_is_named_by_number_or_bot_and_told_in_sentences(folder: Path, game: str) -> None:
    done = main("explain", folder, f"{game[:8]}:ann", *FEW)
    said = done.stdout.decode().splitlines()
    assert re.fullmatch(rf"No Thanks! 3p, game {game[:8]}: ann ranked [23] of 3\.", said[0])
    again = rf"`\S+ play --from \S+ {game[:8]} --at \d+`"
    assert re.fullmatch(rf"Try it yourself, in ann's seat: {again}", said[-1])
    assert re.search(
        r"\d+ decisions looked at, [\d,]+ games played on, \d+ s\n", str(done.stderr, "utf-8")
    )
    found = json.loads(main("explain", folder, f"{game}:2", "--json", *FEW).stdout)
    assert [one["seat"] for one in found["seats"]] == [2]


def test_hindsight_has_the_true_cards_and_tests_have_the_better_decision(
    folder: Path, game: str
) -> None:
    words = ("explain", folder, f"{game}:ann", "--hindsight", "--seconds", 600, "--seed", 1)
    found = json.loads(main(*words, "--json").stdout)  # a few seconds: all is exact
    assert found["worlds"] == "true cards"
    text = main(*words, "--as-test").stdout.decode()
    steps = {mark["action_number"]: mark["better"] for mark in found["seats"][0]["mistakes"]}
    named = re.findall(r"_action_(\d+)\(\)", text)
    compile(text, "test", "exec")
    assert text.startswith("from arena.testing import decide, view_of\n")
    assert named
    better = [f'assert decide("ann", view, confined=True) == "{steps[int(at)]}"' for at in named]
    assert [line.strip() for line in text.splitlines() if "assert" in line] == better


def test_an_action_has_one_number_in_explain_its_test_replay_and_the_viewer(
    folder: Path, game: str
) -> None:
    """What the viewer makes of it: tests/browser/test_viewer.py."""
    words = ("explain", folder, f"{game}:ann", "--hindsight", "--seconds", 600, "--seed", 1)
    (found,) = json.loads(main(*words, "--json").stdout)["seats"]
    told, tests = (main(*words, *more).stdout.decode() for more in ((), ("--as-test",)))
    named = [*map(int, re.findall(r"_action_(\d+)\(\)", tests))]
    runs = re.findall(r"^\d\. actions? ([\d, ]+):", told, re.MULTILINE)
    assert all(str(at) in run.split(", ") for at, run in zip(named, runs, strict=True))
    steps = json.loads(main("replay", folder, game, "--json").stdout)["steps"]
    lines = main("replay", folder, game).stdout.decode().splitlines()
    records = map(json.loads, main("records", folder).stdout.splitlines())
    record = next(each for each in records if each["meta"]["id"] == game)
    marks = {mark["action_number"]: mark for mark in found["mistakes"]}
    for at in named:
        seat, made, better = found["seat"], marks[at]["decision"], marks[at]["better"]
        assert record["actions"][at] == [seat, made]
        assert (steps[at]["action_number"], steps[at]["seat"], steps[at]["action"]) == (
            at,
            seat,
            made,
        )
        said = re.escape(steps[at]["description"])
        assert [line for line in lines if re.fullmatch(rf" *{at}  ( *\d+%  | {{6}})?{said}", line)]
        state = json.loads(main("replay", folder, game, "--at", at, "--json").stdout)["state"]
        assert state["to_act"] == seat
        shown = encode_replay(record, game, None, {}, Review([Cost(at, seat, 0, better, "")]))
        ((number, *_),) = shown["costs"]
        assert shown["asked"][number][:2] == [at, seat]
        said = [shown["words"][words] for eyes, words in shown["said"][at + 1] if sees(eyes, 0)]
        assert said == [steps[at]["description"]]


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("{}:anne", "GAME:SEAT: found 'anne', did you mean 'ann'?"),
        ("{}:3", "GAME:SEAT: found '3'; expected "),
        ("anne", "has no such game or bot: found 'anne', did you mean 'ann'?"),
        ("zz", "expected 'ann', 'bob' or 'cid', or a game's id, as `arena games` lists them"),
        ("ann:2", "ann:2: only a game has seats"),
    ],
)
def test_what_names_no_seat_of_a_game_is_wrong_usage(
    folder: Path, game: str, what: str, words: str
) -> None:
    done = main("explain", folder, what.format(game))
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr.decode()


def tree(folder: Path) -> dict[str, bytes]:
    """The files but for SQLite's own, which come and go with readers."""
    own = ("arena.sqlite-shm", "arena.sqlite-wal")
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in own]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


@pytest.fixture
def fresh(folder: Path, tmp_path: Path) -> Path:
    """The results in a copy of the league, in which nothing was explained."""
    league = copied(folder.parents[1], tmp_path / "league")
    shutil.rmtree(league / "results" / "cup" / "insight", ignore_errors=True)
    return league / "results" / "cup"


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
    fresh: Path, game: str
) -> None:
    asked, file = ("explain", fresh, f"{game}:ann"), fresh / "insight" / f"{game}.json"
    exact = (*asked, "--hindsight", "--seconds", 600, "--seed", 1)  # a few seconds
    found, tests = json.loads(main(*exact, "--json").stdout), main(*exact, "--as-test").stdout
    found |= {"worlds": "fair"}
    found["seats"][0]["games"] = 10**6
    file.parent.mkdir()
    file.write_text(json.dumps(found) + "\n")
    kept = file.read_bytes()
    assert b"_action_" in tests
    hurried = main(*asked, "--seconds", 1)
    said = b"kept: the earlier run of ann, 1,000,000 games, saw more; --as-test prints it\n"
    assert said in hurried.stderr
    assert file.read_bytes() == kept
    again = main(*asked, "--as-test")
    assert again.stdout == tests
    assert b"decisions looked at, as kept; --seconds N plays on\n" in again.stderr
    asked_json = main(*asked, "--as-test", "--json").stdout
    assert asked_json == kept
    assert b"played on, " in main(*asked, "--as-test", "--seconds", 1).stderr
    found["seats"][0] |= {"bot": "\x1b[2J"}
    found |= {"pool": "\x1b[2J", "not_reproduced": ["\x1b[2J"]}
    for mark in found["seats"][0]["mistakes"]:
        mark["view"] = {"card": "\x1b[2J"}
    file.write_text(json.dumps(found))
    assert main(*asked, "--as-test").stdout == tests, "a view is the game's"
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
    assert b"%" not in other.stdout
    assert b"cost" not in other.stdout
    assert b"%" not in other.stderr


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
    assert main("verify", fresh).returncode == 0
    for words in (
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


def test_a_bot_that_changed_is_explained_as_it_played(
    folder: Path, game: str, tmp_path: Path
) -> None:
    league = copied(folder.parents[1], tmp_path / "league")
    (league / "bots" / "ann.py").write_text(FIRST + "\n")
    done = main("explain", league / "results" / "cup", f"{game}:ann", *FEW)
    assert done.returncode == 0
    changed = b"ann.py has changed since it played; the version that played is explained\n"
    assert changed in done.stderr
    of_bot = ("ann", "--rule", "take -> pass when pot < 0", *FEW)
    assert changed in main("explain", league / "results" / "cup", *of_bot).stderr


def test_a_bot_s_rule_is_tested_and_told(folder: Path) -> None:
    words = ("explain", folder, "ann", "--seconds", 2, "--seed", 3)
    rule = "pass -> take when card <= 9 and pot >= 1"
    done = main(*words, "--rule", rule)
    assert done.returncode == 0, done.stderr
    head, name, gain, *_ = done.stdout.decode().splitlines()
    assert re.fullmatch(r"ann in No Thanks! \(3p\): 1 rule tested, (1 holds|0 hold)\.", head)
    assert name == f"1. {rule}"
    assert re.search(r"beats [\d.]+ ±[\d.]+ (more|fewer) opponents in 100", gain)
    (found,) = json.loads(main(*words, "--rule", rule, "--json").stdout)["advice"]
    (tested,) = found["confirmed"] + found["rejected"]
    assert (tested["rule"], found["rules_tested"], found["decisions"]) == (rule, 1, 0)


def test_a_wrong_rule_is_said_before_anything_is_played(folder: Path) -> None:
    done = main("explain", folder, "ann", "--rule", "pas -> take when pots > 3")
    assert done.returncode == 2
    one, two = done.stderr.decode().splitlines()
    assert one == (
        "--rule: column 1: 'pas' matches no decision of No Thanks!; the nearest are pass, take"
    )
    assert two.startswith("--rule: column 18: 'pots': no such field; the nearest are pot, ")


def test_all_mistakes_of_several_rules_are_said(folder: Path) -> None:
    done = main("explain", folder, "ann", "--rule", "pas -> take", "--rule", "pass -> tke")
    assert done.returncode == 2
    one, two = done.stderr.decode().splitlines()
    assert one.startswith("--rule 1: column 1: 'pas' matches no decision")
    assert two.startswith("--rule 2: column 9: 'tke' matches no decision")


def test_options_of_a_bot_and_of_a_game_are_not_mixed(folder: Path, game: str) -> None:
    for words in (("--rule", "pass -> take"), ("--game", "no_thanks"), ("--without", "bob")):
        done = main("explain", folder, game, *words)
        assert (done.returncode, b"name a bot" in done.stderr) == (2, True)
    done = main("explain", folder, "ann", "--hindsight")
    assert (done.returncode, b"name a game" in done.stderr) == (2, True)
    done = main("explain", folder, "ann", "--game", "sixteen")
    assert (done.returncode, b"--game: found 'sixteen'" in done.stderr) == (2, True)
    done = main("explain", folder, "ann", "--without", "zzz")
    assert (done.returncode, b"--without: found 'zzz'; expected 'ann'" in done.stderr) == (2, True)


def test_a_bot_that_left_is_not_in_the_tables_any_more(folder: Path, tmp_path: Path) -> None:
    league = copied(folder.parents[1], tmp_path / "league")
    (league / "bots" / "ann.py").rename(league / "bots" / "eve.py")
    assert main("tournament", league / "tournaments" / "cup.toml").returncode == 0
    for words in ((), ("--rule", "pass -> take")):
        done = main("explain", league / "results" / "cup", "ann", *words)
        said = "ann: did not play in the last run; name a bot that did\n"
        assert (done.returncode, done.stderr.decode()) == (2, said)
