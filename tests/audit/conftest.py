"""Verifying without the package's ratings."""

import pytest

from arena.audit import refit


@pytest.fixture
def without_refits(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take half of what verifying does; `test_refit.py` holds them."""
    monkeypatch.setattr(refit, "refit_store", lambda store, steps: [])
