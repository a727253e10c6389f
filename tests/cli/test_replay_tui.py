"""`arena replay` by keys at a terminal, which is as it was in the end, whatever that is."""

import json
import signal
import termios
from pathlib import Path

import pytest

from tests.keyboards import Keyboard
from tests.leagues import main, make
from tests.places import EXAMPLES
from tests.sessions import FIRST

NO_THANKS = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'
RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


@pytest.fixture
def failed(tmp_path: Path) -> Path:
    """A game of No Thanks! in which seats 1 and 0 forfeit, at steps 1 and 4."""
    record = {
        "v": 1, "game": "no_thanks", "players": 3, "options": {},
        "setup": {"deck": [*range(3, 27)], "removed": [*range(27, 36)], "first": 0},
        "actions": [[0, "pass"], [1, "forfeit"], [1, "pass"], [2, "pass"], [0, "forfeit"]],
        "result": {"ranks": [2, 2, 1], "scores": [-10, -10, -10], "reason": "forfeit",
                   "forfeits": [0, 1]},
        "meta": {"bots": ["ann", "b\x1b[31mob", "cid"],
                 "faults": [[1, "error", 1], [0, "time", 4]]},
    }  # fmt: skip
    file = tmp_path / "failed.jsonl"
    file.write_text(json.dumps(record) + "\n")
    assert main("judge", file).returncode == 0
    return file


@pytest.mark.whole
def test_keys_walk_through_a_game_and_the_terminal_is_as_it_was(failed: Path) -> None:
    with Keyboard("replay", failed, cwd=failed.parent) as keys:
        keys.until("step 0 of 5")
        for pressed, step, shown in (
            (" ", 1, "ann passes."), (RIGHT, 2, "ob has a stand-in from now on:"),
            (LEFT, 1, ""), (HOME, 0, ""), ("n", 1, "forfeits: error"), ("n", 4, "forfeits: time"),
            ("p", 1, "forfeits: error"), (END, 5, "cid wins with -10 points, ann and"),
            ("l3\r", 3, ""), ("\x1b[15~", 3, ""), (LEFT * 2, 1, ""),
        ):  # fmt: skip
            keys.type(pressed)
            keys.until(f"step {step} of 5")
            keys.until(shown)
        keys.type("l4\r")
        keys.until("step 4 of 5")
        keys.type("n")
        keys.until("no further fault")
        keys.type(END)
        keys.until("  ann forfeits.\r")  # and nothing plays on
        assert keys.modes() != keys.before
        keys.type("q")
        assert keys.end() == 0
        assert keys.modes() == keys.before
    assert keys.seen.endswith("\x1b[?25h\x1b[?1049l")
    assert "b\\x1b[31mob" in keys.seen


@pytest.mark.whole
def test_a_list_of_the_steps_marks_the_rounds_and_leads_to_a_step(tmp_path: Path) -> None:
    with Keyboard("replay", EXAMPLES, "--line", 1, cwd=tmp_path, rows=20) as keys:
        keys.until("step 0 of")
        keys.type("l")
        keys.until(">     0  the deal")
        keys.until("      1  seat 1 plays n1 face down.")
        keys.until(" *   10  seat 1 calls 17, wrong: the row is worth 13")
        keys.until("up/down or a number, Enter goes there, l back; * is a round")
        keys.type("\x1b[B" * 3 + "\x1b[A")
        keys.until(">     2  seat 2 plays N5.")
        keys.type("\r")
        keys.until("step 2 of")
        keys.type("l\x1b[6~")
        keys.until(">    19  ")
        keys.type("l")  # which closes it
        keys.until("step 2 of")
        keys.type("l99999\r")  # as far as there are steps
        keys.until("Game over: seat 2 wins with 3 victories")
        keys.type("lq")
        assert keys.end() == 0


@pytest.mark.whole
def test_what_the_one_to_move_may_choose_is_said_to_who_sees_the_hand(tmp_path: Path) -> None:
    with Keyboard("replay", EXAMPLES, "--line", 1, cwd=tmp_path) as keys:
        keys.until("seat 1 may choose: N4 up/down, n1 up/down, trash up/down")
        keys.type(" ")
        keys.until("seat 2 may choose: pass, 17")
        keys.type("q")
        assert keys.end() == 0
    with Keyboard("replay", EXAMPLES, "--line", 1, "--as", 0, cwd=tmp_path) as keys:
        keys.until("step 0 of")
        keys.type("  ")
        keys.until("seat 0 may choose: pass, 17")
        keys.type("q")
        assert keys.end() == 0
    assert "seat 1 may choose" not in keys.seen


@pytest.mark.whole
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(number: int, failed: Path) -> None:
    with Keyboard("replay", failed, cwd=failed.parent) as keys:
        keys.until("step 0 of 5")
        keys.process.send_signal(number)
        assert keys.end() == 130
        assert keys.modes() == keys.before
        assert keys.modes()[3] & termios.ICANON
    assert "\x1b[?25h\x1b[?1049l" in keys.seen
    assert "Traceback" not in keys.seen


@pytest.mark.whole
@pytest.mark.parametrize(
    ("shape", "words", "said"),
    [
        ((30, 30), [], "Terminal too small (30×30); need at least 40×12."),
        ((80, 5), [], "Terminal too small (80×5); need"),
        ((80, 30), ["--as", 3], "--as: found 3; the seats are 0 to 2"),
    ],
)
def test_what_cannot_be_shown_is_said_before_anything_is_drawn(
    shape: tuple[int, int], words: list[object], said: str, failed: Path
) -> None:
    with Keyboard(
        "replay", failed, *words, cwd=failed.parent, columns=shape[0], rows=shape[1]
    ) as keys:
        assert keys.end() == 2
        assert keys.modes() == keys.before
    assert said in keys.seen
    assert "\x1b" not in keys.seen


@pytest.mark.whole
def test_what_bots_printed_is_shown_at_its_step_to_who_sees_all_hands(tmp_path: Path) -> None:
    prints = "def decide(view):\n    print('pot', view.pot)\n    return view.legal[0]\n"
    config = make(tmp_path, NO_THANKS, {"ann": prints, "bob": FIRST, "cid": FIRST})
    assert main("tournament", config, "-q").returncode == 0
    results = tmp_path / "results" / "cup"
    record = json.loads(main("records", results).stdout.splitlines()[0])
    ann = record["meta"]["bots"].index("ann")
    step = next(at for at, (seat, *_) in enumerate(record["actions"][4:], 4) if seat == ann)
    with Keyboard("replay", results, record["meta"]["id"], cwd=tmp_path) as keys:
        keys.until("step 0 of")
        keys.type(f"l{step}\r")
        keys.until(f"step {step} of")
        keys.until(f"ann printed: pot {step}\r")  # all have passed so far
        keys.type(LEFT)
        keys.until(f"step {step - 1} of")
        keys.type("q")
        assert keys.end() == 0
    assert keys.seen.rpartition(f"step {step - 1} of")[2].count("printed") == 0
    with Keyboard("replay", results, record["meta"]["id"], "--as", ann, cwd=tmp_path) as keys:
        keys.until("step 0 of")
        keys.type(f"l{step}\rq")
        assert keys.end() == 0
    assert "printed" not in keys.seen


@pytest.mark.whole
def test_a_bot_s_worst_game_is_found_by_its_name(tmp_path: Path) -> None:
    takes = "def decide(view):\n    return 'take' if view.game == 'no_thanks' else view.legal[0]\n"
    three = NO_THANKS.replace("deals = 1", "deals = 3")
    config = make(tmp_path, three, {"ann": takes, "bob": FIRST, "cid": FIRST})
    assert main("tournament", config, "-q").returncode == 0
    results = tmp_path / "results" / "cup"
    behind = {}
    for record in map(json.loads, main("records", results).stdout.splitlines()):
        scores = record["result"]["scores"]
        behind[record["meta"]["id"]] = scores[record["meta"]["bots"].index("ann")] - min(scores)
    done = main("replay", results, "--bot", "ann")
    said = done.stderr.decode()
    assert said.startswith("ann's worst game: ")
    id, points = said.split()[3].strip(","), int(said.split()[-5])
    assert points == max(behind.values())
    assert [lead for game, lead in behind.items() if game.startswith(id)] == [points]
    assert done.stdout == main("replay", results, id).stdout
    for words, refused in (
        (["--bot", "anne"], "did you mean ann?"),
        ([id, "--bot", "ann"], "--bot: cannot be combined with GAME"),
        ([], "or add --bot BOT"),
    ):
        done = main("replay", results, *words)
        assert done.returncode == 2
        assert refused in done.stderr.decode()


@pytest.mark.whole
def test_by_a_seat_s_eyes_chips_of_the_others_are_hidden(failed: Path) -> None:
    with Keyboard(
        "replay", failed, "--as", 2, cwd=failed.parent, environment={"NO_COLOR": "1"}
    ) as keys:
        keys.until("as seat 2 sees it")
        keys.until("0 ann: chips hidden")
        keys.until("2 cid: chips 11")
        keys.type("q")
        assert keys.end() == 0


@pytest.mark.whole
def test_on_a_dumb_terminal_it_prints(failed: Path) -> None:
    with Keyboard("replay", failed, cwd=failed.parent, environment={"TERM": "dumb"}) as keys:
        assert keys.end() == 0
    assert "Game over: cid wins with -10 points" in keys.seen
    assert "\x1b" not in keys.seen


def test_without_a_terminal_a_seat_s_eyes_print_what_it_heard() -> None:
    shown = main("replay", EXAMPLES, "--line", 3, "--as", 1).stdout.decode()
    assert "seen by 1" in shown
    assert "chips hidden" in shown
    view = json.loads(main("replay", EXAMPLES, "--line", 3, "--as", 1, "--at", 2, "--json").stdout)
    assert (view["seat"], view["chips"], view["all_chips"]) == (1, 10, None)
    whole = json.loads(main("replay", EXAMPLES, "--line", 3, "--as", 1, "--json").stdout)
    assert {step["action"] is None for step in whole["steps"] if step["seat"] != 1} == {True}
    assert whole["state"]["seat"] == 1
    refused = main("replay", EXAMPLES, "--line", 3, "--as", 8)
    assert (refused.returncode, refused.stderr) == (2, b"--as: found 8; the seats are 0 to 2\n")
