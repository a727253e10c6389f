"""A store to write to, with three bots in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.store import Store
from tests.store.games import new


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = new(tmp_path / "cup")
    yield made
    made.close()
