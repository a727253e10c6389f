"""Numbers of a bot are found by play, proved on other decks, and written into its file."""

import json
from pathlib import Path

import pytest

from arena.tuning.race import Race
from tests.leagues import main, make
from tests.schemas import wrong_in

BOT = '''"""Numbers."""  # TUNE = {}
from games import no_thanks

TUNE = {
    "share": (0.9, 0.1, 1.0),  # too much
    "höhe": (-2, -3, 9), 'idle': (1, 0, 5),
}
SHARE = TUNE["share"][0]  # follows


def decide(view):
    if view.game != "no_thanks":
        return view.legal[0]
    mine = view.taken[view.seat]
    cost = no_thanks.points((*mine, view.card), 0) - no_thanks.points(mine, 0)
    return "take" if view.pot >= SHARE * cost + 0 * TUNE["idle"][0] else "pass"
'''

TUNE = ("tune", "ann", "--game", "no_thanks")


def test_better_numbers_are_found_proved_and_written(tmp_path: Path) -> None:
    make(tmp_path, bots={"ann": BOT})
    words = (
        "tune",
        tmp_path / "bots" / "ann.py",
        "--game",
        "no_thanks",
        "--games",
        3000,
        "--seed",
        1,
    )
    done = main(*words, "--write", "--yes", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert wrong_in("tune", found) == []
    assert found["better"]
    assert found["interval"][0] > 0.05
    share, height, idle = found["numbers"]
    assert share["tuned"] < 0.6 < share["value"]
    assert share["gain"] > 4 * share["gain_se"]
    assert all(type(one["tuned"]) is int for one in (height, idle))
    wanted = BOT.replace("0.9, 0.1", f"{share['tuned']}, 0.1").replace(
        "(-2,", f"({height['tuned']},"
    )
    wanted = wanted.replace("(1, 0", f"({idle['tuned']}, 0")
    assert (tmp_path / "bots" / "ann.py").read_text() == wanted
    (tmp_path / "bots" / "ann.py").write_text(BOT)
    assert json.loads(main(*words, "--json", cwd=tmp_path).stdout) == found  # by one seed


def test_a_search_that_was_stopped_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    make(tmp_path, bots={"ann": BOT})
    words = (
        "tune",
        tmp_path / "bots" / "ann.py",
        "--game",
        "no_thanks",
        "--games",
        1000,
        "--seed",
        2,
    )
    whole = main(*words, "--json", cwd=tmp_path).stdout
    play, left = Race.play, [40]

    def stop(self: Race, *given: object) -> object:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return play(self, *given)  # type: ignore[arg-type]

    with monkeypatch.context() as changed:
        changed.setattr(Race, "play", stop)
        assert main(*words, cwd=tmp_path).returncode == 130
    assert main(*words, "--json", cwd=tmp_path).stdout == whole


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ('{"share": (4.0, 0.1, 3.0)}', "share: 4.0 lies outside 0.1 to 3.0"),
        ('{"share": (1.0, 3.0, 0.1)}', "expected value, low, high"),
        ('{"share": ("a", 1, 2)}', "expected value, low, high"),
        ('{"share": 3}', 'write "name": (value, low, high)'),
        ("{", "ann"),
    ],
)
def test_what_is_no_number_in_its_range_is_said(table: str, why: str, tmp_path: Path) -> None:
    make(tmp_path, bots={"ann": f"TUNE = {table}\ndef decide(view):\n    return view.legal[0]\n"})
    done = main("tune", tmp_path / "bots" / "ann.py", cwd=tmp_path)
    assert (done.returncode, why in done.stderr.decode()) == (2, True), done.stderr
