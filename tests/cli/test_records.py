"""`arena replay`: which game it shows, and to whose eyes."""

import json
from pathlib import Path

import pytest

from tests.leagues import main, played_in
from tests.places import EXAMPLES
from tests.sessions import FIRST
from tests.site.parts import Parts


@pytest.mark.whole
def test_a_bot_s_worst_game_is_found_by_its_name(tmp_path: Path) -> None:
    takes = "def decide(view):\n    print('hello')\n    return 'take'\n"
    three = '[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 3\n'
    results = played_in(tmp_path, three, {"ann": takes, "bob": FIRST, "cid": FIRST})
    behind = {}
    for record in map(json.loads, main("records", results).stdout.splitlines()):
        scores = record["result"]["scores"]
        behind[record["meta"]["id"]] = scores[record["meta"]["bots"].index("ann")] - min(scores)
    done = main("replay", results, "--bot", "ann")
    said = done.stderr.decode()
    id, points = said.split()[3].strip(","), int(said.split()[-5])
    assert points == max(behind.values())
    assert [lead for game, lead in behind.items() if game.startswith(id)] == [points]
    assert done.stdout == main("replay", results, id).stdout
    assert b"\n      ann printed: hello\n" in done.stdout
    assert b"printed" not in main("replay", results, id, "--as", 0).stdout  # it may be its hand
    page = tmp_path / "game.html"
    assert main("replay", results, id, "--html", page).stdout.decode() == f"{page}\n"
    text = page.read_text("utf-8")
    assert f'<script type="application/json" id="game" data-id="{id}' in text
    assert "hello" not in text  # as on a site
    assert "src" not in Parts(text).attributes
    assert [link for link in Parts(text).links if not link.startswith("#")] == ["games.html"]


def test_a_seat_s_eyes_see_what_it_heard() -> None:
    words = ("replay", EXAMPLES, "--line", 3, "--as", 1)
    assert "chips hidden" in main(*words).stdout.decode()
    view = json.loads(main(*words, "--at", 2, "--json").stdout)["view"]
    assert (view["seat"], view["chips"], view["all_chips"]) == (1, 10, None)
    whole = json.loads(main(*words, "--json").stdout)
    assert {step["action"] is None for step in whole["steps"] if step["seat"] != 1} == {True}
    assert whole["state"]["seat"] == 1
