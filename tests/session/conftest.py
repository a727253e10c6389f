"""A bench for sessions."""

from pathlib import Path

import pytest

from arena.process.zygote_client import ZygoteClient
from tests.sessions import Bench


@pytest.fixture
def bench(zygote: ZygoteClient, tmp_path: Path) -> Bench:
    return Bench(zygote, tmp_path)
