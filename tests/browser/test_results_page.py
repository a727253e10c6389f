"""standings.html in a browser: on a phone, a tablet and a desk, by light and dark."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from arena.tables.page import html
from tests.browser.conftest import Open
from tests.browser.fields import field
from tests.browser.windows import WIDTHS, Window
from tests.documents import hostile
from tests.needs import needs_browser

needs_browser()

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("browser")]  # one browser for all

INSIDE = """([card, label]) => {
  const around = document.querySelectorAll('.card')[card];
  const column = [...around.querySelectorAll('thead th')]
    .findIndex(th => th.firstChild.textContent === label);
  const cell = around.querySelector('tbody tr').children[column].getBoundingClientRect();
  return cell.left >= 0 && cell.right <= around.getBoundingClientRect().right;
}"""
CUT = """() => [...document.querySelectorAll('.card')]
  .filter(card => card.scrollWidth > card.clientWidth).map(card => card.innerText.slice(0, 60))"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Mapping[int, Path]:
    """The pages of 12 and of 25 bots."""
    folder = tmp_path_factory.mktemp("pages")
    out = {bots: folder / f"{bots}.html" for bots in (12, 25)}
    for bots, page in out.items():
        page.write_text(html(field(bots)), "utf-8")
    return out


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("bots", [12, 25])
def test_nothing_sticks_out_of_the_window(
    window: Open, pages: Mapping[int, Path], bots: int, width: int
) -> None:
    assert window(pages[bots], width).sticks_out() == []


@pytest.mark.parametrize("bots", [12, 25])
def test_a_phone_shows_who_leads_by_how_much_and_how_sure_that_is(
    window: Open, pages: Mapping[int, Path], bots: int
) -> None:
    shown = window(pages[bots], 360)
    for label in ("#", "bot", "strength", "beats %", "likely places"):
        assert shown.ask(INSIDE, [0, label]), label


def test_a_tablet_shows_whole_tables_of_12_and_a_desk_of_25(
    window: Open, pages: Mapping[int, Path]
) -> None:
    assert window(pages[12], 800).ask(CUT) == []
    assert window(pages[25], 1440).ask(CUT) == []


def lines_of(window: Window, scrolled: int) -> tuple[bytes, list[float]]:
    """The lines between the first table's names, as a picture, and how high each name stands."""
    card = window.page.locator(".card").nth(0)
    card.evaluate("(card, by) => { card.scrollLeft = by }", scrolled)
    names = [each.bounding_box() for each in card.locator("tbody .name").all()]
    right = round(names[0]["x"] + names[0]["width"])  # its padding, where no letter is
    rows = card.locator("tbody").bounding_box()
    clip = {**rows, "x": right - 2, "width": 2}
    return window.page.screenshot(clip=clip, full_page=True), [name["y"] for name in names]


def test_names_and_the_lines_between_them_stay_while_the_rest_scrolls(
    window: Open, pages: Mapping[int, Path]
) -> None:
    phone = window(pages[12], 360)
    still, heights = lines_of(phone, 0)
    for by in (60, 150, 220, 300):
        assert lines_of(phone, by) == (still, heights), by


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1440, False)])
def test_nothing_is_in_a_reader_s_way(
    window: Open, pages: Mapping[int, Path], width: int, dark: bool
) -> None:
    assert window(pages[12], width, dark).barriers() == []


def test_a_hostile_name_is_text_and_nothing_else(window: Open, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)><style>*{display:none}</style>"
    page = tmp_path / "standings.html"
    page.write_text(html(hostile(name)), "utf-8")
    assert f"{name}0" in window(page).page.inner_text("body")
