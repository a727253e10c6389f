"""What some tests need beside what `make test` installs; without it they are skipped."""

from typing import Any

import pytest

from tests.browser.windows import chromium, firefox


def needs(module: str, install: str) -> Any:
    """Return a module; without it skip the test, or all tests of the file that is imported."""
    return pytest.importorskip(module, reason=f"{module} is not installed: {install}")


def needs_cluster() -> Any:
    """Return Dask."""
    return needs("dask", "make test-extras")


def needs_browser() -> None:
    """Skip what cannot be looked at in Chromium."""
    for module in ("playwright", "axe_playwright_python"):
        needs(module, "make test-extras")
    if chromium() is None:
        pytest.skip("Chromium is not installed: apt-get install chromium", allow_module_level=True)


def needs_firefox() -> None:
    """Skip what cannot be looked at in Firefox, in pages that are made where Chromium is."""
    needs_browser()
    if firefox() is None:
        pytest.skip("Firefox: apt-get install firefox-esr", allow_module_level=True)
