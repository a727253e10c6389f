"""Bots' processes, one at a time: what each misbehaviour comes to, and what is said of it."""

import os
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from arena.faults.reasons import in_full
from arena.model import Place, Reason
from arena.process.bot_process import SAMPLE_MS
from arena.process.death import Death, reason_of
from arena.process.pipe import Pipe
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import wire
from arena.sandbox.randomness import Stream
from tests.one_process import LIMITS, Bench, ask
from tests.processes import busy_loops

# One worker measures CPU time at a time.
pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("cpu")]


@pytest.fixture
def bench(zygote: ZygoteClient, tmp_path: Path) -> Iterator[Bench]:
    yield (made := Bench(zygote, tmp_path))
    for process in made.processes:
        process.end()


AT_3 = "def decide(view):\n    if view.table == 3:\n        {}\n    return view.legal[0]\n"


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("1 / 0", "error", "ZeroDivisionError"),
        ("raise SystemExit", "error", "SystemExit"),
        ("raise KeyboardInterrupt", "error", "KeyboardInterrupt"),
        ("raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})", "error", "Odd"),
        ("open(__file__)", "error", "at the top of the file"),
        ("open('/etc/passwd')", "error", "at the top of the file"),
        ("import wave", "error", "at the top of the file"),
        ("return None", "illegal", "found NoneType"),
        ("return type('Bad', (), {'__repr__': lambda self: 1 / 0})()", "illegal", "found Bad"),
        ("return '\\udc80'", "illegal", "udc80"),
        ("return 'x' * 99999", "illegal", "found str"),
    ],
)
def test_a_failed_decision_is_one_game_s_and_the_process_goes_on(
    bench: Bench, line: str, kind: str, words: str
) -> None:
    reply = bench.answer(AT_3.format(line))
    assert [(failure.question, failure.kind) for failure in reply.failures] == [(3, kind)]
    assert words in in_full(reason_of(reply.failures[0]))
    assert reply.decisions.count("pass") == 7


def test_a_traceback_shows_the_bot_s_own_lines_in_all_its_files_and_not_ours(bench: Bench) -> None:
    (bench.folder / "helper.py").write_text("def fail():\n    return 1 / 0  # here\n")
    shown = bench.answer("import helper\n" + AT_3.format("helper.fail()")).failures[0].traceback
    assert "line 4, in decide\n    helper.fail()\n" in shown
    assert "return 1 / 0  # here" in shown
    assert "harness" not in shown


def test_out_of_memory_ends_the_batch_at_that_decision(bench: Bench) -> None:
    reply = bench.answer(AT_3.format("bytearray(1 << 30)"))  # 1 GiB; the limit is 128 MiB
    assert reply.decisions == ["pass"] * 3
    assert (reply.failures[0].question, reply.failures[0].kind) == (3, "memory")


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("while True: pass", "time", "100 ms a decision"),
        ("__import__('time').sleep(60)", "time", "100 ms a decision"),
        ("__import__('os')._exit(3)", "crash", "status 3"),
        ("__import__('os')._exit(86)", "memory", "128 MiB"),
        ("__import__('os').kill(__import__('os').getpid(), 11)", "crash", "SIGSEGV"),
        ("__import__('os').kill(__import__('os').getpid(), 31)", "forbidden", "SIGSYS"),
        ("return type('', (), {'__repr__': lambda _: __import__('os')._exit(7)})()", "crash", "7"),
        ("__import__('os').close(4)", "crash", "status 1"),
    ],
)
def test_a_lost_process_says_why_and_at_which_decision(
    bench: Bench, line: str, kind: str, words: str
) -> None:
    reply = bench.death(AT_3.format(line))
    assert words in in_full(reply.reason)
    if line != "__import__('os').close(4)":  # that shows only when the answer cannot be sent
        assert (reply.reason.kind, reply.question) == (kind, 3)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("b'\\xff\\xff\\xff\\x7f'", "at most"),
        ("b'\\x05\\0\\0\\0hello'", "cannot be read"),
        ("b'\\x04\\0\\0\\0\\x93\\x05\\x90\\x90'", "does not belong to the question"),
        ("b'\\x04\\0\\0\\0\\x93\\x05\\x90\\x90' * 2", "out of turn"),
    ],
)
def test_a_forged_or_garbled_answer_is_a_protocol_fault(
    bench: Bench, written: str, words: str
) -> None:
    line = f"import os; os.write(4, {written}); os._exit(0)"
    reply = bench.death(AT_3.format(line))
    assert reply.reason.kind == "protocol"
    assert words in in_full(reply.reason)


def test_no_more_failures_are_told_than_questions_and_ends(bench: Bench) -> None:
    """Each costs the parent time that nobody is charged."""
    forged = (
        "import sys\ndef decide(view):\n    if view.table == 7:\n"
        "        caller = sys._getframe(1)\n        failure = caller.f_globals['wire'].Failure\n"
        "        caller.f_locals['failures'].extend([failure(-1, 'printed')] * MANY)\n"
        "    return view.legal[0]\n"
    )
    assert isinstance(bench.ask(forged.replace("MANY", "17")), wire.Answer)
    reply = bench.death(forged.replace("MANY", "18"))
    assert in_full(reply.reason) == "it reported 18 failures for 8 questions"
    assert reply.reason.kind == "protocol"


def test_a_bot_that_never_reads_does_not_hang_the_arena(bench: Bench) -> None:
    process = bench.start(
        "import time\nfrom arena.sandbox.line import PipeLine\n"
        "PipeLine.receive = lambda self: time.sleep(99)\ndef decide(view): pass"
    )
    assert process.load() is None
    process.tell(wire.Hello("no_thanks", {}))
    death = process.ask([], [], [b"x" * (4 << 20)])  # 4 MiB: more than any pipe holds
    assert isinstance(death, Death)
    assert death.reason.kind == "time"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def decide(view:\n", "SyntaxError"),
        ("import nonsense", "No module named 'nonsense'"),
        ("x = 1", "put the code into `def decide(view)`"),
        ("def decide(v): pass\nclass Bot: pass", "found decide and Bot"),
        ("while True: pass", "400 ms to load"),
        ("import time\ntime.sleep(60)", "400 ms to load"),
        ("import os\nos._exit(0)", "status 0"),
        ("raise SystemExit", "SystemExit"),
        ("x = bytearray(1 << 30)", "128 MiB"),
    ],
)
def test_what_cannot_be_loaded_says_why(bench: Bench, source: str, words: str) -> None:
    reason = bench.start(source).load()
    assert reason is not None
    assert reason.kind == "load"
    assert words in in_full(reason)


def test_while_it_loads_a_bot_reads_its_own_files_and_imports(bench: Bench) -> None:
    (bench.folder / "prices.csv").write_text("3,1")
    (bench.folder / "helper.py").write_text("def price(): return 'pass'")
    reply = bench.answer(
        "import wave, helper\nfrom pathlib import Path\n"
        "PRICES = Path(__file__).with_name('prices.csv').read_text()\n"
        "def decide(view): return helper.price() if PRICES == '3,1' else 'take'", 1
    )  # fmt: skip
    assert reply.decisions == ["pass"]


def test_decide_many_is_asked_one_at_a_time_where_it_fails_together(bench: Bench) -> None:
    reply = bench.answer(
        "def decide_many(views, rngs):\n"
        "    drawn = [rng.random() for rng in rngs]\n"
        "    if any(view.table == 3 for view in views):\n        1 / 0\n"
        "    return ['take' if number < 0.5 else 'pass' for number in drawn]"
    )
    assert [failure.question for failure in reply.failures] == [3]
    drawn = [Stream(bytes([table]) * 16).random() for table in range(8)]
    expected = ["take" if number < 0.5 else "pass" for number in drawn]
    expected[3] = ""
    assert reply.decisions == expected  # a generator that drew in vain was put back


def test_a_bot_s_process_has_the_hash_seed_0_and_no_environment_of_ours(bench: Bench) -> None:
    told = "f'{sys.flags.hash_randomization} {sorted(os.environ)} {HERE}'"
    source = f"import os, sys\nHERE = os.getcwd()\ndef decide(view): raise ValueError({told})"
    told = bench.answer(source, 1).failures[0].traceback.strip().rpartition("ValueError: ")[2]
    assert told.startswith("0 ")
    assert "PYTHONHASHSEED" in told
    assert "PATH'" not in told
    assert told.endswith(" /")


PONDERS = """
import select
from arena.sandbox.line import PipeLine
receive = PipeLine.receive
questions = select.poll()
questions.register(3, select.POLLIN)
def ponder(line):
    while line._held == line._given and not questions.poll(0): pass
    return receive(line)
PipeLine.receive = ponder
def decide(view): return 'pass'
"""  # it computes from its answer to the next question


@pytest.mark.parametrize("each_s", [0.1, 0.02])
def test_thinking_on_the_others_time_is_over_the_limit_when_it_adds_up(
    bench: Bench, each_s: float
) -> None:
    replies = [bench.ask(PONDERS, 1)]
    (process,) = bench.processes
    while len(replies) < 9 and isinstance(replies[-1], wire.Answer):
        before_s = process.body.used_s()
        while process.body.used_s() < before_s + each_s:
            pass  # it ends: the bot computes until it is asked
        replies.append(ask(process, [], 1))
    death = replies[-1]
    assert isinstance(death, Death), "it thought for 160 ms"
    assert death.reason.kind == "time"
    assert "used between questions" in in_full(death.reason)


@pytest.fixture(params=["computes on its core", "waits, and another program computes"])
def beside(
    request: pytest.FixtureRequest, zygote: ZygoteClient, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """What we do while a bot decides; whoever computes has the core about as long as the bot."""

    def busily(pipe: Pipe, cap: int, wait_ms: int) -> memoryview | bytes | None:
        until_s = time.process_time() + SAMPLE_MS / 1000
        while time.process_time() < until_s:
            pass
        return receive(pipe, cap, wait_ms)

    receive, allowed, computes = Pipe.receive, os.sched_getaffinity(0), "its" in request.param
    (core, *_) = allowed
    for pid in (0, *zygote.pids()):  # with its bots
        os.sched_setaffinity(pid, {core})
    with nullcontext() if computes else busy_loops(1, core):
        if computes:
            monkeypatch.setattr(Pipe, "receive", busily)
        yield
    for pid in (0, *zygote.pids()):
        os.sched_setaffinity(pid, allowed)


THINKS = (
    "import time\ndef decide(view):\n    until = time.process_time() + 0.06\n"
    "    while time.process_time() < until: pass\n    return 'pass'"
)
"""60 ms of CPU a decision; 100 are allowed."""


@pytest.mark.usefixtures("beside")
def test_who_shares_a_bot_s_core_is_not_charged_to_it(bench: Bench) -> None:
    bench.answer(THINKS, 4)
    (process,) = bench.processes
    waited_s = process.body.queued_s()
    # it computes for 240 ms; a kernel with more programs than cores may give most of it at once
    assert waited_s > 0.02, f"it waited {waited_s:.3f} s: no program was beside it"


@pytest.mark.usefixtures("beside")
@pytest.mark.parametrize("line", ["while True: pass", "__import__('time').sleep(60)"])
def test_who_is_over_its_time_is_caught_whoever_shares_its_core(bench: Bench, line: str) -> None:
    reply = bench.death(AT_3.format(line))
    limit = "over the time limit: 100 ms a decision"
    assert reply.reason == Reason("time", limit, places=(Place("bot.py", 3, "decide"),))
    assert in_full(reply.reason) == f'{limit}; it was here\n  File "bot.py", line 3, in decide'
    assert reply.question == 3
    (process,) = bench.processes
    # 100 ms, 8 for loading, and until we have the core and look mostly 10 to 40 ms; but where cores
    # are shared among sessions (autogroups: sched(7)) it had 360. So it may have what a batch may.
    assert process.used_s < 8 * LIMITS.cpu_ms / 1000


def test_the_cores_of_a_bot_are_ours_to_set_and_not_its_own(bench: Bench) -> None:
    """It is undumpable, and we need not be root."""
    process = bench.start(
        "import os\ndef tried(act, pid):\n    try: act(pid)\n    except PermissionError: return 0\n"
        "    return 1\n"
        "IDS = 0, os.getpid(), os.getppid(), 1\n"
        "told = [tried(os.sched_getaffinity, pid) for pid in IDS]\n"
        "told += [tried(lambda pid: os.sched_setaffinity(pid, {0}), pid) for pid in IDS]\n"
        "def decide(view): return ''.join(map(str, told))"
    )
    assert process.load() is None
    process.tell(wire.Hello("no_thanks", {}))
    only = min(os.sched_getaffinity(0))
    os.sched_setaffinity(process.body.pid, {only})
    assert os.sched_getaffinity(process.body.pid) == {only}
    reply = ask(process, [wire.Begun(0, bytes(16))], 1)
    assert isinstance(reply, wire.Answer)
    assert reply.decisions == ["11000000"]  # only its own, and only to look at
