"""Asks a bot: a batch of questions becomes decisions or reasons, and prints are kept apart.

Every question to a bot is asked here: by a session, the author's bench or the doctor. What a
process answers and how it dies is `bot_process`'s; what an answer means for a game is the caller's.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from arena.model import FailedEnds, Limits, Reason
from arena.process.bot_process import BotProcess
from arena.process.death import Death, reason_of
from arena.sandbox import wire

Reply = str | Reason
"""A decision, or why there is none."""


class Answers(NamedTuple):
    """A bot's replies to a batch."""

    decisions: list[str]  # one a question, "" where there is a reason; up to a lack of memory
    reasons: Mapping[int, Reason]  # why there is no decision, by the question's index
    failed_ends: Sequence[FailedEnds] = ()


class Launcher(Protocol):
    """Starts bots' processes: a `ZygoteClient`, or something that stands in for one."""

    def start(self, path: Path, limits: Limits) -> BotProcess:
        """Start a fresh process for the bot whose snapshot is the folder `path`."""


class Asker:
    """A bot that is asked: one process at a time, started by `launch`.

    `hear` takes what the bot printed, and whether its process has ended with that: in `ask` as long
    as the batch is known, and in `end`.
    """

    def __init__(
        self,
        launch: Callable[[], BotProcess],
        hear: Callable[[str, bool], None] = lambda text, ended: None,
    ) -> None:
        self._launch, self._hear = launch, hear
        self._process: BotProcess | None = None
        self.cpu_s = 0.0  # of all processes that have ended
        self.worst_s = 0.0  # the most CPU time a decision that a batch took, the batch's mean

    @property
    def is_loaded(self) -> bool:
        """True if there is a process to ask."""
        return self._process is not None

    @property
    def kind(self) -> str:
        """The bot's interface: "decide", "Bot" or "decide_many"; "" without a process."""
        return self._process.kind if self._process else ""

    @property
    def wants_results(self) -> bool:
        """True if the bot takes the results of games."""
        return self._process is not None and self._process.wants_results

    def load(self) -> Reason | None:
        """Start a process and load the bot. Returns why it cannot be loaded, a reason of kind
        `load`, or None.
        """
        self._process = self._launch()  # from here on `end` ends it
        reason = self._process.load()
        if reason:
            self._process = None
        return reason

    def tell(self, hello: wire.Hello) -> None:
        """Announce the game that is played. Done once, before the first question."""
        assert self._process is not None, "told without a process"
        self._process.tell(hello)

    def ask(
        self, begun: list[wire.Begun], over: list[wire.Over], questions: Sequence[Any]
    ) -> Answers | Death:
        """Ask a batch of questions.

        The process is gone if a Death comes back, or if there are fewer decisions than questions:
        then memory ran out at the next one, which has a reason.
        """
        assert self._process is not None, "asked without a process"
        answer = self._process.ask(begun, over, questions)
        if isinstance(answer, Death):
            self.end()
            return answer
        if not answer.failures:
            return Answers(answer.decisions, {})
        reasons, failed_ends, has_printed = dict[int, Reason](), [], False
        for failure in answer.failures:
            if failure.kind == "printed":
                has_printed = True
            elif failure.question >= 0:
                reasons[failure.question] = reason_of(failure)
            else:
                failed_ends.append(FailedEnds(-failure.question, reason_of(failure)))
        if has_printed:
            self._hear(self._process.new_output(), False)
        if len(answer.decisions) < len(questions):
            self.end()
        return Answers(answer.decisions, reasons, failed_ends)

    def ask_one(self, begun: list[wire.Begun], question: Any) -> Reply:
        """Ask one question; the process may be lost by it."""
        answers = self.ask(begun, [], [question])
        if isinstance(answers, Death):
            return answers.reason
        return answers.reasons.get(0) or answers.decisions[0]

    def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.end()
        self._hear(process.printed, True)
        self.cpu_s += process.used_s
        self.worst_s = max(self.worst_s, process.worst_s)


def find_unloadable(
    paths: Mapping[str, str], limits: Limits, zygote: Launcher
) -> dict[str, Reason]:
    """Find the bots that cannot be loaded, each tried once, alone: the reasons by name."""
    reasons = {}
    for name, path in paths.items():
        process = zygote.start(Path(path), limits)
        reason = process.load()
        if reason:
            reasons[name] = reason
        process.end()
    return reasons
