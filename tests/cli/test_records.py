"""`arena replay`: which game it shows, and to whose eyes."""

import json
from pathlib import Path

import pytest

from tests.leagues import main, make
from tests.places import EXAMPLES
from tests.sessions import FIRST
from tests.site.parts import Parts

NO_THANKS = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'


@pytest.mark.whole
def test_a_bot_s_worst_game_is_found_by_its_name(tmp_path: Path) -> None:
    takes = "def decide(view):\n    print('hello')\n    return 'take'\n"
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
    assert b"\n      ann printed: hello\n" in done.stdout
    assert b"printed" not in main("replay", results, id, "--as", 0).stdout  # it may be its hand
    page = tmp_path / "game.html"
    assert main("replay", results, id, "--html", page).stdout.decode() == f"{page}\n"
    text = page.read_text("utf-8")
    whole = next(each for each in behind if each.startswith(id))
    assert f'<script type="application/json" id="game" data-id="{whole}">{{' in text
    assert "hello" not in text  # as on a site
    assert "'self'" not in text
    assert "src" not in Parts(text).attributes
    assert [link for link in Parts(text).links if not link.startswith("#")] == ["games.html"]
    done = main("replay", results)
    assert (done.returncode, b"or add --bot BOT" in done.stderr) == (2, True)


def test_a_seat_s_eyes_see_what_it_heard() -> None:
    shown = main("replay", EXAMPLES, "--line", 3, "--as", 1).stdout.decode()
    assert "seen by 1" in shown
    assert "chips hidden" in shown
    words = ("replay", EXAMPLES, "--line", 3, "--as", 1)
    view = json.loads(main(*words, "--at", 2, "--json").stdout)["view"]
    assert (view["seat"], view["chips"], view["all_chips"]) == (1, 10, None)
    whole = json.loads(main(*words, "--json").stdout)
    assert {step["action"] is None for step in whole["steps"] if step["seat"] != 1} == {True}
    assert whole["state"]["seat"] == 1
