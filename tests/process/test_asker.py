"""A bot that is asked: what a batch comes to, over real processes and scripted ones."""

from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.model import FailedEnds, Reason
from arena.process.asker import Answers, Asker
from arena.process.death import Death
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import wire
from tests.one_process import LIMITS, begin, questions

pytestmark = pytest.mark.xdist_group("cpu")


class Bench:
    """A bot of source text that is asked about fresh games; `heard` is what it printed."""

    def __init__(self, zygote: ZygoteClient, folder: Path, source: str) -> None:
        (folder / "bot.py").write_text(source)
        self.heard: list[tuple[str, bool]] = []
        start = partial(zygote.start, folder, LIMITS)
        self.asker = Asker(start, lambda *said: self.heard.append(said))
        assert self.asker.load() is None
        self.asker.tell(wire.Hello("no_thanks", {}))


def test_a_batch_is_decisions_and_reasons_and_prints_come_apart(
    zygote: ZygoteClient, tmp_path: Path
) -> None:
    source = (
        "def decide(view):\n    if view.table == 1:\n        print('one')\n        1 / 0\n"
        "    return view.legal[-1]\n"
    )
    bench = Bench(zygote, tmp_path, source)
    answers = bench.asker.ask(begin(3), [], questions(3))
    assert isinstance(answers, Answers)
    assert answers.decisions == ["take", "", "take"]
    ((at, reason),) = answers.reasons.items()
    assert (at, reason.kind) == (1, "error")
    assert bench.heard == [("table 1: one\n", False)]
    assert bench.asker.is_loaded  # what it raises costs no process
    bench.asker.end()
    assert bench.heard[1:] == [("", True)]
    assert bench.asker.cpu_s > 0


def test_a_death_ends_the_process_and_what_it_printed_last_is_heard(
    zygote: ZygoteClient, tmp_path: Path
) -> None:
    source = "def decide(view):\n    print('bye')\n    import os\n    os._exit(3)\n"
    bench = Bench(zygote, tmp_path, source)
    died = bench.asker.ask(begin(2), [], questions(2))
    assert isinstance(died, Death)
    assert (died.reason.kind, died.question) == ("crash", 0)
    assert bench.heard == [("table 0: bye\n", True)]
    assert not bench.asker.is_loaded


@pytest.mark.parametrize(
    ("failure", "reasons", "ends", "is_over"),
    [
        (wire.Failure(1, "memory", "full"), {1: Reason("memory", "full")}, [], True),
        (wire.Failure(-3, "error", "why"), {}, [FailedEnds(3, Reason("error", "why"))], False),
    ],
)
def test_the_question_after_the_last_ran_out_of_memory_and_failures_of_end_are_none_s(
    failure: wire.Failure, reasons: dict[int, Reason], ends: list[FailedEnds], is_over: bool
) -> None:
    process = Mock(kind="Bot", worst_s=0.0, used_s=1.0, printed="")
    process.load.return_value = None
    process.ask.return_value = wire.Answer(0, ["pass"], [failure])
    asker = Asker(lambda: process)
    assert asker.load() is None
    assert asker.ask([], [], [0, 1] if is_over else [0]) == Answers(["pass"], reasons, ends)
    assert (process.end.call_count, asker.is_loaded) == (is_over, not is_over)
