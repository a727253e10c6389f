"""Visitors play against the bots in Chromium and Firefox, and bots that attack get nowhere."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.records.record import judge_record
from tests.browser.marionette import Firefox
from tests.browser.playgrounds import ATTACKS, FRIENDS, served
from tests.browser.windows import Window, firefox
from tests.needs import needs_browser

needs_browser()

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("browser")]

READY = "() => !document.querySelector('[data-part=begin]').disabled"
IDLE = """() => !document.querySelector('[data-part=viewer]').hidden
  && !document.querySelector('[data-part=choices]').textContent.includes('think')"""
CHOOSE = "() => document.querySelector('.choice').click()"
OVER = "() => document.querySelector('[data-part=choosing]').hidden"
RECORD = "() => JSON.parse(player.shown.record)"
DEAL = """(game, players, bots) => {
  const part = (name) => document.querySelector(`[data-part=${name}]`);
  const choose = (select, value) => {
    select.value = value; select.dispatchEvent(new Event('change'));
  };
  choose(part('game'), game); choose(part('players'), players);
  bots.forEach((bot, at) => choose(part('opponents').children[at], bot));
  part('begin').click();
}"""

Ask = Callable[..., Any]


def asking(window: Window) -> Ask:
    """Runs scripts in a page, with any number of arguments: Playwright takes one."""
    return lambda script, *given: window.ask(f"given => ({script})(...given)", list(given))


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, list[str]]]:
    with served(tmp_path_factory.mktemp("playground")) as place:
        yield place


def wait(ask: Ask, script: str = IDLE, most_s: float = 60) -> None:
    """Wait until a script of the page says yes."""
    end_s = time.monotonic() + most_s
    while not ask(script):
        assert time.monotonic() < end_s, ask("() => document.body.innerText")


def play_to_end(ask: Ask, game: str, players: int, *bots: str) -> None:
    """Play a game by its first choices."""
    ask(DEAL, game, players, bots)
    wait(ask)
    while not ask(OVER):
        ask(CHOOSE)
        wait(ask)


@pytest.fixture
def page(browser: Any, playground: tuple[str, Path, list[str]]) -> Iterator[Window]:
    """The page on a phone, ready to play; what goes wrong in it fails the test."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        color_scheme="dark",
        reduced_motion="reduce",
    )
    window = Window(context.new_page(), playground[1])
    window.own = playground[0]
    window.page.goto(f"{playground[0]}/play.html")
    wait(window.ask, READY)
    yield window
    context.close()


def test_a_phone_plays_every_game_and_saves_its_record(page: Window, tmp_path: Path) -> None:
    page_ask = asking(page)
    page.page.context.set_offline(True)  # all is there
    for game, players, *bots in (
        ("no_thanks", 4, "champion", "haggler", "ledger"), ("sixteen", 2, "champion"),
        ("sixteen", 4, "ledger", "ann", "adder"), ("diciassette", 3, "champion", "ledger"),
    ):  # fmt: skip
        assert isinstance(players, int)
        play_to_end(page_ask, str(game), players, *map(str, bots))
        record = page_ask(RECORD)
        assert judge_record(record).to_act is None
        assert record["meta"]["faults"] == []
        assert page.sticks_out() == []
        assert page.barriers() == []
    with page.page.expect_download() as saved:
        page.page.tap("[data-part=save]")
    saved.value.save_as(tmp_path / "saved.jsonl")
    assert json.loads((tmp_path / "saved.jsonl").read_bytes()) == record
    assert page.troubles == []


def test_a_move_is_taken_back_hinted_at_and_made_by_keys(page: Window) -> None:
    ask = asking(page)
    ask(DEAL, "sixteen", 2, ["champion"])
    wait(ask)
    first = ask(RECORD)
    page.page.tap("[data-part=hint]")
    wait(ask, "() => /^champion would choose /.test(player.parts.hinted.textContent)")
    page.page.keyboard.press("1")
    wait(ask, "() => player.shown.decisions.length > 0 && !player.isWaiting")
    after = ask(RECORD)
    assert after["actions"][: len(first["actions"])] == first["actions"] != after["actions"]
    page.page.tap("[data-part=undo]")
    wait(ask)
    assert ask(RECORD) == first
    assert ask("() => { player.look(0); return player.eye; }") == 1  # no other hand is shown
    page.page.tap("[data-part=again]")
    wait(ask)
    assert ask(RECORD)["setup"] == first["setup"]


def test_a_seat_of_a_published_game_is_taken_over(
    page: Window, playground: tuple[str, Path, list[str]]
) -> None:
    scripts = sorted((playground[1] / "games").glob("*.json"))
    records = {script.stem: json.loads(script.read_bytes()) for script in scripts}
    friendly = {
        each["game"]: id for id, each in records.items() if {*each["meta"]["bots"]} <= {*FRIENDS}
    }
    assert friendly.keys() == {"no_thanks", "sixteen", "diciassette"}
    for id, given in ((id, records[id]) for id in friendly.values()):
        at = len(given["actions"]) // 2
        page.page.goto(f"{playground[0]}/watch.html#{id}/{at}/as-1")
        page.page.click("[data-part=take]")
        wait(page.ask)
        record = page.ask(RECORD)
        assert record["game"] == given["game"]
        assert record["meta"]["bots"][1] == "you"
        assert [seat for seat, *_ in record["actions"][:at]] == [
            seat for seat, *_ in given["actions"][:at]
        ]


@pytest.mark.parametrize("bot", ATTACKS)
def test_a_bot_that_attacks_gets_nowhere_and_the_page_lives(
    bot: str, page: Window, playground: tuple[str, Path, list[str]]
) -> None:
    ask = asking(page)
    before = len(playground[2])
    ask(DEAL, "no_thanks", 3, [bot, "champion"])
    wait(ask, "() => !player.isWaiting")
    for _ in range(3):
        if not ask(OVER):
            ask(CHOOSE)
            wait(ask, "() => !player.isWaiting")
    said = ask("() => player.parts.status.textContent")
    if bot not in ("prints", "asks", "lingers"):
        who = "" if bot == "swells" else bot  # who was asked last is blamed
        assert f"{who} forfeits: " in said
        assert ", here." in said
    assert "does not load" not in said
    assert playground[2][before:] == []
    assert [one for one in page.troubles if "foreign" in one or "dialog" in one] == []
    play_to_end(ask, "sixteen", 2, "champion")  # what comes next is as ever
    assert "forfeits" not in ask("() => player.parts.status.textContent")


def test_firefox_plays_a_game_to_its_end(
    playground: tuple[str, Path, list[str]], tmp_path: Path
) -> None:
    program = firefox()
    if program is None:
        pytest.skip("Firefox: apt-get install firefox-esr")
    fox = Firefox(program, tmp_path)
    try:
        fox.open(f"{playground[0]}/play.html", 450)
        wait(fox.ask, READY)
        for game, players, *bots in (
            ("no_thanks", 3, "champion", "haggler"), ("sixteen", 2, "ledger"),
            ("diciassette", 2, "champion"),
        ):  # fmt: skip
            play_to_end(fox.ask, str(game), int(str(players)), *map(str, bots))
            assert fox.told() == []
    finally:
        fox.close()
