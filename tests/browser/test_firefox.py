"""The pages in Firefox: its own reading of the policy and of layout.

Its windows are 450 px wide at least: phones are left to Chromium.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import PAGES
from tests.browser.marionette import Firefox
from tests.browser.windows import STICKS_OUT, firefox
from tests.needs import needs_firefox

needs_firefox()

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("browser")]  # `site` is published once


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = firefox()
    assert program is not None  # needs_firefox
    fox = Firefox(program, tmp_path_factory.mktemp("profile"))
    yield fox
    fox.close()


def test_what_a_page_does_wrong_is_told_and_no_page_does_any_or_sticks_out(
    fox: Firefox, site: Path, tmp_path: Path
) -> None:
    policy = "default-src 'none'; script-src 'unsafe-inline'"
    (tmp_path / "wrong.html").write_text(
        "<!doctype html><meta charset=utf-8><title>x</title>"
        f'<meta http-equiv=Content-Security-Policy content="{policy}">'
        "<p style='color: red'>x<script>nobody()</script>"
    )
    fox.open((tmp_path / "wrong.html").as_uri(), 800)
    error, forbidden = fox.told()
    assert "nobody is not defined" in error
    assert "blocked an inline style" in forbidden
    for page in PAGES:
        for width in (450, 1440):
            fox.open((site / page).as_uri(), width)
            assert fox.ask("() => document.querySelector('h1').textContent")
            assert fox.ask(STICKS_OUT) + fox.told() == [], (page, width)
