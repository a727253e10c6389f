"""Starts bots given as source text and asks them, for tests: no session, no games in progress."""

from pathlib import Path
from random import Random
from typing import Any

from arena.model import Limits
from arena.process.asker import Launcher
from arena.process.bot_process import BotProcess
from arena.process.death import Death
from arena.sandbox import wire
from games import no_thanks

LIMITS = Limits(cpu_ms=100, load_ms=400, memory_mib=128, max_output_kib=4)
OPTIONS = no_thanks.Options()


class Bench:
    """Starts bots from source text, and asks them about fresh games."""

    def __init__(self, zygote: Launcher, folder: Path) -> None:
        self.zygote, self.folder = zygote, folder
        self.processes: list[BotProcess] = []

    def start(self, source: str) -> BotProcess:
        (self.folder / "bot.py").write_text(source)
        process = self.zygote.start(self.folder, LIMITS)
        self.processes.append(process)
        return process

    def ask(self, source: str, count: int = 8) -> wire.Answer | Death:
        process = self.start(source)
        assert process.load() is None
        process.tell(wire.Hello("no_thanks", {}))
        return ask(process, begin(count), count)

    def answer(self, source: str, count: int = 8) -> wire.Answer:
        """Return the answer of a bot that has one."""
        reply = self.ask(source, count)
        assert isinstance(reply, wire.Answer), reply
        return reply

    def death(self, source: str) -> Death:
        """Return the death of a bot that has no answer."""
        reply = self.ask(source)
        assert isinstance(reply, Death), reply
        return reply


def ask(process: BotProcess, begun: list[wire.Begun], count: int) -> wire.Answer | Death:
    return process.ask(begun, [], questions(count))


def begin(count: int) -> list[wire.Begun]:
    """Return the beginnings of so many games."""
    return [wire.Begun(table, bytes([table]) * 16) for table in range(count)]


def questions(count: int) -> list[Any]:
    """Return the first question of each of these games."""
    deals = [no_thanks.deal(OPTIONS, 3, Random(table)) for table in range(count)]
    states = [no_thanks.State(OPTIONS, 3, deal) for deal in deals]
    return [state.fields(state.to_act or 0, table) for table, state in enumerate(states)]
