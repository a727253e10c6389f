"""A page in a window, and all that goes wrong while it is open: errors, what the console was told,
a request for anything but the files beside the page, a dialog.
"""

import shutil
from pathlib import Path
from typing import Any

FIREFOXES = ("firefox-esr", "firefox")
CHROMIUMS = ("chromium", "google-chrome", "google-chrome-stable")
WIDTHS = (360, 800, 1440)
"""A phone, a tablet, a desk: what no page may be too wide for."""

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
AXE = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
"""What axe is asked for: WCAG 2.2, levels A and AA."""

STICKS_OUT = """() => [...document.body.querySelectorAll('*')].filter(each => {
  const box = each.getBoundingClientRect();
  if (!box.width || !box.height || box.right <= document.documentElement.clientWidth + 1)
    return false;
  for (let around = each.parentElement; around; around = around.parentElement)
    if (around !== document.body && getComputedStyle(around).overflowX !== 'visible') return false;
  return true;
}).map(each => each.outerHTML.slice(0, 90))"""


def chromium() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


def firefox() -> str | None:
    return next(filter(None, map(shutil.which, FIREFOXES)), None)


class Window:
    """An open page, and what went wrong in it."""

    def __init__(self, page: Any, site: Path) -> None:
        self.page = page
        self.troubles: list[str] = []
        self.own = site.absolute().as_uri()
        page.on("console", lambda said: self.troubles.append(f"console, {said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("request", lambda asked: self._asked(asked.url))
        page.on("requestfailed", lambda asked: self.troubles.append(f"not loaded: {asked.url}"))
        page.on("dialog", self._dialog)

    def _asked(self, url: str) -> None:
        if not url.startswith((self.own, "data:", "blob:")):
            self.troubles.append(f"a foreign request: {url}")

    def _dialog(self, dialog: Any) -> None:
        self.troubles.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def ask(self, script: str, *given: object) -> Any:
        return self.page.evaluate(script, *given)

    def sticks_out(self) -> list[str]:
        """Return what reaches beyond the window's right edge and is in nothing that scrolls."""
        found: list[str] = self.ask(STICKS_OUT)
        wide = self.ask("() => document.documentElement.scrollWidth - innerWidth")
        return [*found, *([f"the page, by {wide} px"] if wide > 0 else [])]

    def barriers(self) -> list[str]:
        """Return what axe finds in the way of somebody's reading or using the page."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page, options=AXE)
        return [
            f"{each['id']}: {node['html'][:120]}: {node['failureSummary'][:200]}"
            for each in found.response["violations"]
            for node in each["nodes"]
        ]
