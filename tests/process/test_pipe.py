"""One frame there, one frame back, over pipes whose other ends this test holds."""

import os
from collections.abc import Iterator
from contextlib import suppress

import pytest

from arena.process.death import HungUp, Misbehaved
from arena.process.pipe import Pipe
from arena.sandbox import wire

CAP = 100


def frame(body: bytes) -> bytes:
    return wire.HEAD.pack(len(body)) + body


class Ends:
    """A pipe, and the bot's ends of it."""

    def __init__(self) -> None:
        self.bot_in, to_bot = os.pipe()
        from_bot, self.bot_out = os.pipe()
        os.set_blocking(to_bot, False)
        os.set_blocking(from_bot, False)
        self.pipe = Pipe(to_bot, from_bot)


@pytest.fixture
def ends() -> Iterator[Ends]:
    yield (made := Ends())
    made.pipe.close()
    for fd in (made.bot_in, made.bot_out):
        with suppress(OSError):
            os.close(fd)


def test_a_frame_in_drips_is_there_with_its_last_byte(ends: Ends) -> None:
    sent = frame(b"take")
    for byte in sent[:-1]:
        os.write(ends.bot_out, bytes([byte]))
        assert ends.pipe.receive(CAP, 0) is None
    os.write(ends.bot_out, sent[-1:])
    assert ends.pipe.receive(CAP, 0) == b"take"
    os.write(ends.bot_out, frame(b"pass"))
    assert ends.pipe.receive(CAP, 0) == b"pass"


def test_a_frame_longer_than_the_pipe_is_sent_while_the_answer_is_waited_for(ends: Ends) -> None:
    sent = frame(bytes(1 << 20))
    ends.pipe.send(sent)
    received = 0
    while received < len(sent):
        received += len(os.read(ends.bot_in, 1 << 16))
        assert ends.pipe.receive(CAP, 0) is None
    os.write(ends.bot_out, frame(b"take"))
    assert ends.pipe.receive(CAP, 0) == b"take"


@pytest.mark.parametrize(
    ("question", "sent", "words"),
    [
        (b"", wire.HEAD.pack(CAP - wire.HEAD.size + 1), "101 bytes long; at most 100"),
        (b"", frame(b"take") + b"x", "out of turn"),
        (bytes(1 << 20), frame(b"take"), "out of turn"),  # half of it is sent
    ],
)
def test_what_is_no_single_frame_in_turn_is_a_protocol_fault(
    ends: Ends, question: bytes, sent: bytes, words: str
) -> None:
    ends.pipe.send(question)
    os.write(ends.bot_out, sent)
    with pytest.raises(Misbehaved, match=words) as raised:
        ends.pipe.receive(CAP, 0)
    assert raised.value.reason.kind == "protocol"


def test_a_closed_end_is_noticed_by_who_reads_and_by_who_writes(ends: Ends) -> None:
    os.close(ends.bot_out)
    with pytest.raises(HungUp):
        ends.pipe.receive(CAP, 0)
    os.close(ends.bot_in)
    with pytest.raises(HungUp):
        ends.pipe.send(frame(b"question"))
