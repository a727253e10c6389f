"""Texts for a bot's author: whole where they can be, and never longer than they may be."""

from pathlib import Path

import pytest

from arena.process.bot_process import ANSWER_BASE, ANSWER_EACH
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import capture, harness, wire
from tests.one_process import Bench

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time


@pytest.fixture
def bench(zygote: ZygoteClient, tmp_path: Path) -> Bench:
    return Bench(zygote, tmp_path)


@pytest.mark.parametrize("word", ["pre\u00e7o", "\u4fa1\u683c"])
def test_a_traceback_shows_lines_in_any_script(bench: Bench, word: str) -> None:
    reply = bench.answer(f"def decide(view):\n    price = int('{word}')\n")
    assert f"line 2, in decide\n    price = int('{word}')\n" in reply.failures[0].traceback


@pytest.mark.whole
@pytest.mark.parametrize("letter", ["'\\U0001f0a1'", "'\\udc80'"])
def test_a_long_traceback_in_every_answer_is_an_error_in_whatever_letters(
    bench: Bench, letter: str
) -> None:
    """Of four bytes each, or escaped in six: told in characters they were over the answer's cap."""
    reply = bench.answer(f"def decide(view): raise ValueError({letter} * 9999)", 200)
    assert {failure.kind for failure in reply.failures} == {"error"}
    assert len(reply.failures) == 200
    for failure in reply.failures:
        assert len(failure.traceback.encode()) <= wire.TEXT_BYTES
        assert 0 < len(failure.message.encode()) <= wire.FIELD_BYTES


def test_the_longest_honest_answer_is_below_the_cap() -> None:
    text, field, decision = "x" * wire.TEXT_BYTES, "x" * wire.FIELD_BYTES, "x" * capture.LONGEST
    longest = wire.Failure(
        -1, "error", field, field, field, field, field, 1 << 30, field, field, text
    )
    assert wire.cut(longest) == longest
    failures = [longest._replace(question=at, kind="illegal") for at in range(256)]
    failures += [longest] * harness.ENDS_TOLD
    for count in (0, 1, 256):
        told = failures[256 - count :]
        frame = wire.frame(wire.Answer(2**64 - 1, [decision] * count, told))
        assert len(frame) <= ANSWER_BASE + count * ANSWER_EACH
