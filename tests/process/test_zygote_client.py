"""The zygotes: which one a bot comes from, and that its end is the end of its bots."""

import os
import select
from pathlib import Path

import pytest

from arena.model import Limits
from arena.process.zygote_client import ZygoteClient

DECIDE = "\ndef decide(view): return view.legal[0]\n"
WARM = "import sys; assert 'numpy' in sys.modules, 'cold'"


COLD = "import sys; assert 'num' + 'py' not in sys.modules, 'warm'"
LAZY = "import numpy\nassert {'numpy.fft', 'numpy.random'} <= sys.modules.keys(), 'half'"


def loaded(zygote: ZygoteClient, folder: Path, source: str) -> str:
    """Return why a bot of this text does not load, "" if it does."""
    (folder / "bot.py").write_text(source + DECIDE)
    process = zygote.start(folder, Limits())
    reason = process.load()
    process.end()
    return reason.traceback if reason else ""


@pytest.mark.parametrize("source", [f"{WARM}\n{LAZY}", COLD, f"{COLD}\n__import__('num' + 'py')"])
@pytest.mark.parametrize("others", ["none", "numpy's"])
def test_numpy_is_there_for_bots_that_name_it_and_for_no_others_whoever_else_plays(
    zygote: ZygoteClient, tmp_path: Path, source: str, others: str
) -> None:
    if others != "none":
        assert loaded(zygote, tmp_path, WARM) == ""
    assert loaded(zygote, tmp_path, source) == ""


def test_numpy_is_there_for_a_bot_that_names_it_in_a_module_of_its_own(
    zygote: ZygoteClient, tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sums.py").write_text("import numpy")
    (tmp_path / "own.py").mkdir()  # no file, whatever its name
    source = "import sys\nwarm = 'num' + 'py' in sys.modules\nimport own.sums\nassert warm"
    assert loaded(zygote, tmp_path, source) == ""


@pytest.mark.parametrize("source", [COLD, WARM])
def test_when_the_zygote_dies_its_bots_die_with_it(tmp_path: Path, source: str) -> None:
    (tmp_path / "bot.py").write_text(source + DECIDE)
    zygote = ZygoteClient()
    process = zygote.start(tmp_path, Limits())
    assert process.load() is None
    pidfd = os.pidfd_open(process.body.pid)
    zygote.close()
    assert select.select([pidfd], [], [], 10)[0], "the bot's process outlived its zygote"
    os.close(pidfd)
