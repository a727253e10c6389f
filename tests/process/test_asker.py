"""A bot that is asked: what a batch comes to, over real processes and scripted ones."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from arena.model import FailedEnds, Reason
from arena.process.asker import Answers, Asker
from arena.process.bot_process import BotProcess
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
        self.asker = Asker(partial(zygote.start, folder, LIMITS), self.hear)
        assert self.asker.load() is None
        self.asker.tell(wire.Hello("no_thanks", {}))

    def hear(self, text: str, ended: bool) -> None:
        self.heard.append((text, ended))

    def ask(self, count: int) -> Answers | Death:
        return self.asker.ask(begin(count), [], questions(count))


def test_a_batch_is_decisions_and_reasons_and_prints_come_apart(
    zygote: ZygoteClient, tmp_path: Path
) -> None:
    source = (
        "def decide(view):\n    if view.table == 1:\n        print('one')\n        1 / 0\n"
        "    return view.legal[-1]\n"
    )
    bench = Bench(zygote, tmp_path, source)
    answers = bench.ask(3)
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
    died = bench.ask(2)
    assert isinstance(died, Death)
    assert (died.reason.kind, died.question) == ("crash", 0)
    assert bench.heard == [("table 0: bye\n", True)]
    assert not bench.asker.is_loaded
    assert bench.asker.load() is None  # in a process of its own, as the first was
    bench.asker.tell(wire.Hello("no_thanks", {}))
    reply = bench.asker.ask_one(begin(1), questions(1)[0])
    assert isinstance(reply, Reason)
    assert reply.kind == "crash"


class Scripted:
    """A process that gives one answer."""

    kind, wants_results, worst_s, used_s, printed = "Bot", True, 0.0, 1.0, ""

    def __init__(self, answer: wire.Answer) -> None:
        self.answer, self.ended = answer, 0

    def load(self) -> None:
        pass

    def ask(self, begun: Any, over: Any, views: Sequence[Any]) -> wire.Answer:
        return self.answer

    def end(self) -> None:
        self.ended += 1


def scripted(*failures: wire.Failure, decisions: int) -> tuple[Asker, Scripted]:
    process = Scripted(wire.Answer(0, ["pass"] * decisions, list(failures)))
    asker = Asker(lambda: cast(BotProcess, process))
    assert asker.load() is None
    return asker, process


def test_where_memory_ran_out_the_next_question_has_the_reason_and_the_process_is_ended() -> None:
    asker, process = scripted(wire.Failure(1, "memory", "full"), decisions=1)
    assert asker.ask([], [], [0, 1, 2]) == Answers(["pass"], {1: Reason("memory", "full")}, [])
    assert (process.ended, asker.is_loaded, asker.cpu_s) == (1, False, 1.0)


def test_failures_of_end_are_no_question_s() -> None:
    asker, process = scripted(wire.Failure(-3, "error", "it failed"), decisions=2)
    assert asker.ask([], [], [0, 1]) == Answers(
        ["pass", "pass"], {}, [FailedEnds(3, Reason("error", "it failed"))]
    )
    assert (process.ended, asker.is_loaded) == (0, True)
