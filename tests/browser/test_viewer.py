"""The viewer in a browser: every game's table, steps and eyes, keys, tests copied from it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import games
from arena.records.questions import TEST_HEAD, write_test
from arena.records.replay import Walk, describe_result
from arena.site.pages import rules_file, viewer_address
from games import Zone
from tests.browser.conftest import Open
from tests.browser.viewers import CASES, FAILS_AT, FILE, there
from tests.browser.windows import WIDTHS
from tests.games.cases import Case
from tests.needs import needs_browser

needs_browser()

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("browser")]  # one browser for all

STATE = """() => ['table', 'status', 'asked', 'prints', 'log', 'marks'].map(part =>
  document.querySelector(`[data-part=${part}]`).innerHTML).concat(location.hash)"""
HEARD = "() => [...document.querySelectorAll('.table .hear')].map(each => each.textContent)"


@pytest.mark.parametrize("width", WIDTHS)
def test_every_table_fits_whatever_its_game_and_players(
    window: Open, watch: Path, records: Mapping[str, dict[str, Any]], width: int
) -> None:
    page = window(watch, width=width)
    for id, record in records.items():
        steps = len(record["actions"])
        for step, seat in ((0, None), (steps // 2, 1), (steps, None)):
            there(page, id, step, seat)
            assert page.sticks_out() + page.ask(OVERLAPS) == [], (id, step)


OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.table > section')].map(each =>
    [each.className, each.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], at) => boxes.slice(at + 1)
    .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1
      && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => `${name} lies on ${other}`));
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_nobody_is_kept_out(window: Open, watch: Path, dark: bool) -> None:
    page = window(watch, width=360 if dark else 1440, dark=dark)
    for id in ("diciassette6", "no_thanks3", "sixteen4", "faulty", "costly"):
        assert there(page, id, FAILS_AT).barriers() == [], id


def test_what_is_said_to_who_hears_the_page_is_what_the_rules_let_those_eyes_see(
    window: Open, watch: Path, records: Mapping[str, dict[str, Any]]
) -> None:
    page = window(watch)
    for id, case in CASES.items():
        steps = len(records[id]["actions"])
        for step, seat in ((0, 0), (steps // 3, None), (steps - 1, case.seats - 1), (steps, 0)):
            there(page, id, step, seat)
            walk = Walk(records[id], seat)
            while walk.step < step:
                walk.advance()
            expected = {in_words(case, zone) for zone in walk.zones()}
            assert {text.strip() for text in page.ask(HEARD)} == expected, (id, step)


def in_words(case: Case, zone: Zone) -> str:
    seen = [piece for piece in zone.pieces if piece.text]
    backs = len(zone.pieces) - len(seen)
    if not zone.is_cards:
        return f"{zone.name}: {seen[0].text if seen else 'hidden'}."
    words = [games.symbol(case.game, piece.text).label for piece in seen]
    return f"{zone.name}: {', '.join([*words, *([f'{backs} hidden'] if backs else [])]) or 'none'}."


@pytest.mark.parametrize("id", ["diciassette2", "no_thanks3", "sixteen2", "faulty"])
def test_steps_forth_and_back_come_to_the_same(window: Open, watch: Path, id: str) -> None:
    page = there(window(watch), id, 0)
    last = page.ask("() => player.replay.last")
    seen = [page.ask(STATE)]
    for _ in range(last):
        page.page.keyboard.press("ArrowRight")
        seen.append(page.ask(STATE))
    for step in reversed(range(last)):
        page.page.keyboard.press("ArrowLeft")
        assert page.ask(STATE) == seen[step]
    assert len({json.dumps(state) for state in seen}) == last + 1


def test_the_address_opens_the_step_and_the_eyes_or_the_nearest(window: Open, watch: Path) -> None:
    at = viewer_address(FILE, "sixteen4", 7, 2).removeprefix(FILE)
    page = window(watch, at=at)
    page.page.wait_for_function("() => player.replay")
    assert page.ask("() => [player.replay.id, player.step, player.eye]") == ["sixteen4", 7, 3]
    assert page.ask("() => location.hash") == at
    page.page.locator("#games a", has_text="no_thanks").first.click()
    page.page.wait_for_function("() => player.replay.data.game === 'no_thanks'")
    page.page.go_back()
    page.page.wait_for_function("() => player.replay.id === 'sixteen4'")
    assert page.ask("() => [player.step, player.eye]") == [7, 3]
    page.ask("() => { location.hash = '#faulty/999/as-77'; }")
    page.page.wait_for_function("() => player.replay.id === 'faulty' && player.eye === 0")


def test_a_game_that_is_not_there_is_said(window: Open, watch: Path) -> None:
    page = window(watch, at="#nowhere")
    page.page.get_by_text("There is no game nowhere here").wait_for()
    assert any("nowhere.js" in trouble for trouble in page.troubles)
    page.troubles.clear()  # a file that is not there is what was asked for


def test_keys_do_what_they_say(window: Open, watch: Path) -> None:
    page = there(window(watch), "faulty", 0)
    step = "() => player.step"
    for key, at in (("End", 10), ("Home", 0), ("ArrowRight", 1), ("n", FAILS_AT), ("p", FAILS_AT)):
        page.page.keyboard.press(key)
        assert page.ask(step) == at, key
    page.page.keyboard.press("2")
    assert page.ask("() => [player.eye, location.hash]") == [3, f"#faulty/{FAILS_AT}/as-2"]
    page.page.keyboard.press("9")  # nobody sits there
    page.page.keyboard.press("a")
    assert page.ask("() => player.eye") == 0
    page.page.keyboard.press("?")
    assert page.page.locator("dialog").is_visible()
    page.page.keyboard.press("ArrowRight")
    assert page.ask(step) == FAILS_AT  # the dialog has the keys
    page.page.get_by_label("Letters, digits").uncheck()
    page.page.keyboard.press("Escape")
    page.page.wait_for_function("() => document.activeElement === document.body")
    page.page.keyboard.press("p")
    page.page.keyboard.press("2")
    assert page.ask("() => [player.step, player.eye]") == [FAILS_AT, 0]
    page.ask("() => { player.parts.letters.checked = true; }")
    page.page.keyboard.press("g")
    page.page.keyboard.type("3")
    page.page.keyboard.press("Enter")
    assert page.ask(step) == 3


def test_the_tab_key_stops_once_in_the_list_of_steps_and_arrows_go_on_from_there(
    window: Open, watch: Path
) -> None:
    page = there(window(watch), "sixteen2", 5)
    assert page.page.locator(".log a[tabindex='0']").count() == 1
    page.page.locator(".log a[tabindex='0']").focus()
    page.page.keyboard.press("ArrowDown")
    page.page.keyboard.press("ArrowDown")
    assert page.ask("() => player.step") == 7
    assert page.ask("() => document.activeElement.getAttribute('aria-current')") == "step"


def test_it_plays_by_itself_to_the_end(window: Open, watch: Path) -> None:
    page = there(window(watch), "faulty", 7)
    page.page.get_by_label("speed").select_option("8")
    page.page.locator("h1").click()
    page.page.keyboard.press(" ")
    assert page.ask("() => player.parts.status.getAttribute('aria-live')") == "off"
    page.page.wait_for_function("() => player.step === player.replay.last && player.timer === null")
    assert page.ask("() => player.parts.status.getAttribute('aria-live')") == "polite"


def test_a_view_is_copied_as_the_test_that_replay_prints(
    window: Open, watch: Path, records: Mapping[str, dict[str, Any]]
) -> None:
    page = window(watch)
    for id in CASES:
        there(page, id)
        for index in (0, 5, 11):
            step, seat = page.ask("at => player.replay.data.asked[at].slice(0, 2)", index)
            if step == len(records[id]["actions"]):
                continue  # the record was cut there
            phase = page.ask("at => new Map(argumentsOf(player.replay, at)).get('phase')", index)
            if phase == '"play"':
                text = page.ask("at => testText(player.replay, at)", index)
                assert text == TEST_HEAD + write_test(records[id], step, id, seat)


def test_a_print_is_text_at_its_step(window: Open, watch: Path) -> None:
    page = there(window(watch), "faulty", FAILS_AT)
    prints = page.page.locator("[data-part=prints] li").all_inner_texts()
    assert prints == ["bot0: <img src=x onerror=alert(1)>", "bot1: </script>"]
    assert page.page.locator(".question", has_text="forfeits").is_visible()
    page.page.keyboard.press("1")  # the bot of seat 1 has printed one of them
    assert page.page.locator("[data-part=prints] li").count() == 1
    page.page.keyboard.press("ArrowRight")
    assert page.page.locator("[data-part=prints]").inner_text() == "Nothing here."


def test_a_costly_decision_is_marked_for_eyes_that_know_it_and_a_click_goes_there(
    window: Open, watch: Path
) -> None:
    page = there(window(watch), "costly", 0)
    words = "bot0's pass cost 23 ±4 in 100: take was better"
    mark = page.page.locator(".timeline .at-cost")
    assert mark.get_attribute("title") == f"action {FAILS_AT}: {words}"
    link = page.page.locator(".log li.at-cost a")
    assert link.text_content() == f"{FAILS_AT}bot0 passes. {words}."
    for place in (mark, link):
        there(page, "costly", 0)
        link.evaluate("each => { each.closest('details').open = true; }")
        place.click()
        page.page.wait_for_function("step => player.step === step", arg=FAILS_AT)
        assert page.page.locator(".question .cost").inner_text() == f"{words}."
        assert page.page.locator(".ways .better").inner_text() == "take"
    for seat, seen in ((1, 0), (0, 1)):
        there(page, "costly", FAILS_AT, seat)
        page.page.wait_for_function("eye => player.eye === eye", arg=seat + 1)
        assert page.page.locator(".at-cost:is(i, li), .cost, .better").count() == 6 * seen


def test_chances_are_a_line_of_the_chart_and_n_leads_to_the_mark_on_it(
    window: Open, watch: Path
) -> None:
    page = there(window(watch), "costly", 1)
    assert "bot0: 2 of 3 were good" in page.page.locator("[data-part=why]").inner_text()
    names = page.page.locator("[data-part=names]")
    assert names.inner_text().split() == ["bot0", "40", "bot1", "?", "bot2", "?"]
    page.page.keyboard.press("n")
    page.page.wait_for_function("step => player.step === step", arg=FAILS_AT)
    assert names.inner_text().split()[:2] == ["bot0", "20"]
    there(page, "costly", FAILS_AT, 1)
    page.page.wait_for_function("() => player.eye === 2")
    assert names.inner_text().split()[:2] == ["bot0", "?"]


def test_the_show_is_the_table_alone_and_fits(window: Open, watch: Path) -> None:
    page = there(window(watch), "diciassette6", 10)
    page.ask("() => { document.documentElement.requestFullscreen = undefined; }")
    page.page.keyboard.press("f")
    assert page.ask("() => document.documentElement.scrollHeight <= innerHeight")
    assert not page.page.locator("[data-part=log]").is_visible()
    assert page.page.locator(".table").is_visible()
    assert page.sticks_out() == []
    page.page.keyboard.press("Escape")
    assert page.page.locator("[data-part=log]").is_visible()


def test_without_scripts_it_says_what_would_do(window: Open, watch: Path) -> None:
    page = window(watch, scripts=False)
    assert page.page.get_by_text("The viewer needs JavaScript").is_visible()
    assert page.page.locator("#games a").count() == len(CASES) + 4


def test_the_title_says_who_plays_with_links_and_why_it_was_chosen(
    window: Open, watch: Path
) -> None:
    page = there(window(watch), "faulty", 0).page
    assert page.locator("h1").inner_text() == page.title() == "No Thanks!: bot0, bot1, bot2"
    assert page.locator("h1 a").get_attribute("href") == "bot-bot0.html"
    assert page.locator("[data-part=why]").inner_text() == "for tests"
    rules = page.locator("[data-part=rules]")
    assert rules.get_attribute("href") == rules_file("no_thanks")


def test_the_end_says_who_won_and_marks_it(
    window: Open, watch: Path, records: Mapping[str, dict[str, Any]]
) -> None:
    page, record = window(watch), records["hand"]
    there(page, "hand", len(record["actions"]))
    walk = Walk(record)
    while walk.step < walk.steps:
        walk.advance()
    result = walk.state.result()
    ended = describe_result("no_thanks", result, walk.names)
    assert page.page.locator("[data-part=status]").inner_text().endswith(f"{walk.last} {ended}")
    assert page.page.locator(".seat.winner").count() == result["ranks"].count(1)


@pytest.mark.parametrize(
    ("id", "name"),
    [("diciassette4", "victories"), ("no_thanks5", "points"), ("no_thanks5", "chips"),
     ("sixteen4", "sets")],
)  # fmt: skip
def test_the_chart_has_each_side_s_number_at_each_step_as_eyes_see_it(
    window: Open, watch: Path, records: Mapping[str, dict[str, Any]], id: str, name: str
) -> None:
    page, record, case = window(watch), records[id], CASES[id]
    sides = {case.game.side(seat): seat for seat in reversed(range(case.seats))}
    for eyes in (None, 1):
        there(page, id, 0, eyes)
        page.page.locator("[data-part=count]").select_option(name)
        drawn = page.ask("() => player.lines")
        walk = Walk(record, eyes)
        for step in range(0, len(record["actions"]) + 1, 14):
            while walk.step < step:
                walk.advance()
            held = {zone.seat: zone.pieces[0] for zone in walk.zones() if zone.name == name}
            numbers = [held[sides[side]] for side in sorted(sides)]
            expected = [None if piece.is_hidden else int(piece.text) for piece in numbers]
            assert [line[step] for line in drawn] == expected, step
            there(page, id, step, eyes)
            beside = page.page.locator("[data-part=names] b").all_inner_texts()
            assert beside == ["?" if number is None else str(number) for number in expected]


def test_a_click_in_the_chart_goes_to_that_step(window: Open, watch: Path) -> None:
    page = there(window(watch, width=360), "sixteen2", 3)
    chart = page.page.locator("[data-part=chart]")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    chart.click(position={"x": box["width"] / 2, "y": 9})
    last = page.ask("() => player.replay.last")
    assert abs(page.ask("() => player.step") - last / 2) <= 1
