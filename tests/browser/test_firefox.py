"""The pages in Firefox: its own reading of the policy, of layout, and of keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.firefox import Firefox, firefox
from tests.browser.sites import PAGES
from tests.browser.windows import STICKS_OUT
from tests.needs import needs_firefox

needs_firefox()

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("browser")]  # `site` is published once

TABLE = "() => document.querySelector('[data-part=table]').innerHTML"


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = firefox()
    assert program is not None  # needs_firefox
    fox = Firefox(program, tmp_path_factory.mktemp("profile"))
    yield fox
    fox.close()


def test_what_a_page_does_wrong_is_told(fox: Firefox, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    policy = "default-src 'none'; script-src 'unsafe-inline'"
    page.write_text(
        "<!doctype html><meta charset=utf-8><title>x</title>"
        f'<meta http-equiv=Content-Security-Policy content="{policy}">'
        "<p style='color: red'>x<script>nobody()</script>"
    )
    fox.open(page.as_uri(), 800)
    error, forbidden = fox.troubles()
    assert "nobody is not defined" in error
    assert "blocked an inline style" in forbidden


@pytest.mark.parametrize("page", PAGES)
def test_no_page_does_anything_wrong_or_sticks_out(fox: Firefox, site: Path, page: str) -> None:
    for width in (450, 1440):
        fox.open((site / page).as_uri(), width)
        assert fox.ask("() => document.querySelector('h1').textContent")
        assert fox.ask(STICKS_OUT) == []
        assert fox.troubles() == []


def test_a_game_is_stepped_through_by_keys(fox: Firefox, site: Path) -> None:
    game = min((site / "games").glob("*.js")).stem
    fox.open(f"{(site / 'watch.html').as_uri()}#{game}/2", 1440)
    before = fox.ask(TABLE)
    fox.press("\ue014")  # the arrow to the right, in WebDriver's table of keys
    assert fox.ask("() => location.hash") == f"#{game}/3"
    assert fox.ask(TABLE) != before
    fox.press("\ue012")
    assert fox.ask(TABLE) == before
    assert fox.troubles() == []
