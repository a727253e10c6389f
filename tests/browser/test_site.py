"""Every kind of page of a published site, and the page of results, in a browser."""

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from arena.site import pagination
from arena.tables.page import html
from tests import leagues
from tests.browser.conftest import PAGES, PRINTED, Open
from tests.browser.windows import WIDTHS
from tests.documents import of_many
from tests.needs import needs_browser
from tests.site.parts import Parts

needs_browser()

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("browser")]  # one browser for all

TABLES = """() => [...document.querySelectorAll('table')].map(
  table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent.trim())))"""
COLUMN = """label => {
  const heads = [...document.querySelectorAll('table.sortable th[scope=col]')];
  const head = heads.find(each => each.firstChild.textContent.trim() === label);
  return [...head.closest('table').tBodies[0].rows].map(
    row => row.cells[head.cellIndex].textContent.trim());
}"""
LINES = """() => [...document.querySelectorAll('.log li a')].map(each =>
  [each.hash, ...[...each.children].map(part => part.textContent)])"""


@pytest.mark.parametrize("page", PAGES)
def test_nothing_sticks_out_or_is_in_a_reader_s_way(window: Open, site: Path, page: str) -> None:
    shown = window(site / page, WIDTHS[0], dark=True)
    assert shown.barriers() == []
    for width in WIDTHS:
        shown.page.set_viewport_size({"width": width, "height": 900})
        assert shown.sticks_out() == [], width
    assert window(site / page).barriers() == []


@pytest.mark.parametrize("page", [page for page in PAGES if page != "watch.html"])
def test_tables_need_no_scripts(window: Open, site: Path, page: str) -> None:
    tables = window(site / page, scripts=False).ask(TABLES)
    assert tables
    assert tables == window(site / page).ask(TABLES)


def test_a_click_on_a_heading_sorts_its_table_and_so_does_a_key(window: Open, site: Path) -> None:
    shown = window(site / "index.html")
    shown.page.get_by_label("All columns").first.check()
    head = shown.page.locator("table.sortable th", has_text="rating").first
    column = shown.ask(COLUMN, "rating")
    ratings = [float(cell.replace(",", "")) for cell in column]
    assert ratings == sorted(ratings, reverse=True) != sorted(ratings)
    head.click()
    shown.page.wait_for_selector("th[aria-sort=ascending]")
    shown.page.wait_for_function("() => !document.querySelector('tr td').textContent.match(/^1$/)")
    assert shown.ask(COLUMN, "rating") == column[::-1]
    head.press("Enter")
    shown.page.wait_for_selector("th[aria-sort=descending]")
    shown.page.wait_for_function("() => document.querySelector('tr td').textContent.match(/^1$/)")
    assert shown.ask(COLUMN, "rating") == column


@pytest.fixture(scope="module")
def split(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the same league's site with all games to watch, and room for few on a page."""
    folder = tmp_path_factory.mktemp("split") / "site"
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(pagination.paginate, "__defaults__", (12_000,))
        done = leagues.main("publish", site.parent, "--games", "9", "--to", folder)
    assert done.returncode == 0, done.stderr.decode()
    return folder


@pytest.mark.parametrize("which", ["site", "split"])
def test_every_link_leads_somewhere(which: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(which)
    pages = {page.name: Parts(page.read_text("utf-8")) for page in folder.glob("*.html")}
    lost = []
    for name, page in pages.items():
        for link in page.links:
            file, _, part = link.partition("#")
            there = (folder / unquote(file or name)).exists()
            if "=" in part:  # what a list of games is to show
                asked = re.fullmatch(r"(bot|game)=[\w-]+(&show=lost)?", part)
                there = there and file.startswith("games") and bool(asked)
            elif (file or name).startswith("watch") and part not in pages[file or name].ids:
                game = part.partition("/")[0]
                there = there and (not game or (folder / "games" / f"{game}.js").exists())
            elif part:
                there = there and part in pages[file or name].ids
            lost += [] if there else [f"{name}: {link}"]
    assert len(pages) > len(PAGES)
    assert ("games-3.html" in pages) == (which == "split")
    assert lost == []


def test_without_scripts_all_games_are_listed_page_by_page_and_there_is_no_filter(
    window: Open, site: Path, split: Path
) -> None:
    page = window(site / "games.html", scripts=False).page
    assert page.locator("#games tbody tr").count() == len([*site.glob("games/*.js")])
    assert not page.locator("form").is_visible()
    page = window(split / "games.html", scripts=False).page
    page.get_by_role("link", name="Next page").click()
    assert "Games to watch, page 2 of" in page.locator("h1").inner_text()
    page.get_by_role("link", name="Page before").click()
    assert "Games to watch, page 1 of" in page.locator("h1").inner_text()


SHOWN = """() => [...document.querySelectorAll("#games tbody tr")]
  .filter(row => row.checkVisibility())
  .map(({dataset: {won, lost, game, show}}) => [won.split(" "), lost.split(" "), game, show])"""


def test_a_list_shows_what_its_address_asks_for(window: Open, site: Path) -> None:
    shown = window(site / "games.html", at="#bot=ann&game=sixteen&show=lost").ask(SHOWN)
    assert shown
    assert all("ann" in lost and "sixteen" in game.split() for _, lost, game, _ in shown)
    page = window(site / "games.html", at="#bot=<script>&show=nothing")
    page.page.evaluate("() => document.getElementById('more').click()")
    assert len(page.ask(SHOWN)) == page.page.locator("#games tbody tr").count()


def test_a_list_is_filtered_by_keyboard_and_its_address_says_how(window: Open, site: Path) -> None:
    shown = window(site / "games.html")
    page, everything = shown.page, shown.ask(SHOWN)
    page.locator("[name=bot]").focus()
    page.keyboard.type("hostile")
    page.locator("[name=show]").focus()
    page.keyboard.type("won")
    won = shown.ask(SHOWN)
    assert won == [row for row in everything if "hostile" in row[0]] != everything
    assert page.evaluate("() => location.hash") == "#bot=hostile&show=won"
    assert page.get_by_role("status").inner_text() == f"{len(won)} of {len(everything)} games here"
    page.get_by_role("button", name="Reset").press("Enter")
    page.wait_for_function("() => location.hash === ''")
    assert shown.ask(SHOWN) == everything


def test_a_long_list_shows_its_first_games_and_all_on_request(
    window: Open, site: Path, tmp_path: Path
) -> None:
    before, start, rest = (site / "games.html").read_text().partition('<tbody role="rowgroup">')
    rows, end, after = rest.partition("</tbody>")
    long = tmp_path / "games.html"
    long.write_text(before + start + 2 * rows + end + after)
    shown = window(long)
    page = shown.page
    everything = page.locator("#games tbody tr").count()
    assert everything > 50
    first = shown.ask(SHOWN)
    assert len(first) == 50
    page.get_by_role("button", name=f"Show all {everything}").click()
    assert len(shown.ask(SHOWN)) == everything


def test_a_filter_goes_on_to_the_next_page(window: Open, split: Path) -> None:
    page = window(split / "games.html", at="#bot=ann").page
    page.get_by_role("link", name="Next page").click()
    page.wait_for_url(re.compile(r"/games-2\.html#bot=ann$"))
    page.wait_for_function("() => document.querySelector('[name=bot]').value === 'ann'")


def test_the_next_game_is_the_next_of_those_that_the_list_showed(window: Open, site: Path) -> None:
    page = window(site / "games.html", at="#bot=hostile&show=lost").page
    lost = page.locator("#games tbody tr:not([hidden]) a")
    ids = [link.get_attribute("href").split("#")[1].split("/")[0] for link in lost.all()]
    assert len(ids) > 2
    lost.first.click()
    page.wait_for_function("id => player.replay && player.replay.id === id", arg=ids[0])
    page.get_by_role("button", name="Next game").click()
    page.wait_for_function("id => player.replay.id === id", arg=ids[1])
    assert page.locator("#games li:visible").count() == len(ids)
    assert page.get_by_text("Only those of the filter").is_visible()


def test_the_next_game_goes_on_with_the_next_page_where_a_list_ends(
    window: Open, split: Path
) -> None:
    page = window(split / "watch.html").page
    page.wait_for_function("() => player.replay")
    last = page.evaluate("() => player.list.at(-1)")
    page.evaluate("id => { location.hash = id; }", last)
    page.wait_for_function("id => player.replay.id === id", arg=last)
    page.get_by_role("button", name="Next game").click()
    page.wait_for_url(re.compile(r"/watch-2\.html#"))
    page.wait_for_function("() => player.replay && player.replay.id === player.list[0]")
    page.get_by_role("button", name="Game before").click()
    page.wait_for_url(re.compile(r"/watch\.html#"))
    page.wait_for_function("id => player.replay && player.replay.id === id", arg=last)


def test_a_shared_link_goes_on_to_its_step_and_says_the_result_without_scripts(
    window: Open, site: Path
) -> None:
    shared = next(site.glob("games/*.html"))
    page = window(site / "watch.html", at=f"#{shared.stem}/3/as-1").page
    page.wait_for_function("() => player.replay")
    page.get_by_role("button", name="Copy link").click()
    said = page.get_by_role("status")
    page.wait_for_function("() => player.parts.status.textContent.includes('games/')")
    assert said.inner_text().endswith(f"{shared.absolute().as_uri()}#3/as-1")
    page.goto(f"{shared.absolute().as_uri()}#3/as-1")
    page.wait_for_url(re.compile(rf"/watch\.html#{shared.stem}/3/as-1$"))
    page.wait_for_function("() => player.step === 3 && player.eye === 2")
    plain = window(shared, 360, dark=True, scripts=False)
    assert plain.page.locator("h1").inner_text() == plain.page.title()
    assert plain.sticks_out() == []
    href = plain.page.get_by_role("link", name="Watch it").get_attribute("href")
    assert href.startswith(f"../watch.html#{shared.stem}")


def test_a_game_is_one_file_that_shows_it_as_the_site_does(
    window: Open, site: Path, tmp_path: Path
) -> None:
    link = Parts((site / "bot-hostile.html").read_text("utf-8"))
    at = next(each for each in link.links if re.fullmatch(r"watch\.html#\w+/\d+/as-\d", each))
    game, step, _ = at.partition("#")[2].split("/")
    page = tmp_path / "game.html"
    done = leagues.main("replay", site.parent, game, "--html", page)
    assert (done.returncode, [*tmp_path.iterdir()]) == (0, [page])
    alone, listed = window(page, at=f"#{game}/{step}"), window(site / "watch.html", at=f"#{game}")
    for each in (alone, listed):
        each.page.wait_for_function("() => player.replay")
    steps = "() => player.replay.data.steps"
    assert alone.ask(steps) == listed.ask(steps)
    assert not alone.page.get_by_role("button", name="Copy link").is_visible()
    assert not alone.page.locator(".list").is_visible()
    assert alone.barriers() == alone.sticks_out() == []


def test_a_fault_opens_at_the_step_where_it_happened_and_as_its_bot_saw_it(
    window: Open, site: Path
) -> None:
    page = window(site / "bot-hostile.html").page
    page.get_by_text("By pool and kind").click()
    links = page.locator("table[aria-labelledby=faults] a.id")
    at = links.first.get_attribute("href").partition("#")[2]
    assert re.fullmatch(r"[0-9a-f]{20}/\d+/as-\d", at)
    assert PRINTED in page.locator("details pre").first.text_content()
    links.first.click()
    page.wait_for_function("() => player.replay")
    failed = page.locator(".question", has=page.locator(".fault", has_text="forfeits"))
    assert failed.count() == 1
    assert "hostile" in failed.inner_text()
    assert page.evaluate("() => player.replay.data.bots[player.eye - 1]") == "hostile"


def test_an_action_has_in_the_viewer_the_number_that_it_has_in_replay(
    window: Open, site: Path
) -> None:
    games = sorted(site.glob("games/*.js"))
    for game, eyes in zip(games[:2], ((), ("--as", 1)), strict=True):
        done = leagues.main("replay", site.parent, game.stem, "--json", *eyes)
        told = [step["description"] for step in json.loads(done.stdout)["steps"]]
        said = [words or "Nothing that this seat can see." for words in told]
        at = f"/as-{eyes[1]}" if eyes else ""
        page = window(site / "watch.html", at=f"#{game.stem}/2{at}")
        page.page.wait_for_function("() => player.replay")
        *lines, _ = page.ask(LINES)  # the last is the end of the game
        for number, (words, line) in enumerate(zip(said, lines, strict=True)):
            assert line[:2] == [f"#{game.stem}/{number}{at}", str(number)]
            assert line[2].startswith(words)  # then why it is marked
        assert page.ask("() => player.parts.status.textContent") == f"Action 1: {said[1]} "


def test_results_of_many_bots_stick_out_nowhere(window: Open, tmp_path: Path) -> None:
    page = tmp_path / "standings.html"
    page.write_text(html(of_many(25)), "utf-8")
    for width in WIDTHS:
        shown = window(page, width, dark=width == 360)
        assert shown.sticks_out() == [], width
    assert shown.barriers() == []
