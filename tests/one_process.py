"""Starts bots given as source text and asks them, for tests: no session, no games in progress."""

from pathlib import Path
from random import Random

from arena.model import Limits, Reason
from arena.process.bot_process import BotProcess
from arena.process.death import Death
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import wire
from games import no_thanks

LIMITS = Limits(cpu_ms=100, load_ms=400, memory_mib=128, output_kib=4)
OPTIONS = no_thanks.Options()


class Bench:
    """Starts bots from source text, and asks them about fresh games."""

    def __init__(self, zygote: ZygoteClient, folder: Path) -> None:
        self.zygote, self.folder = zygote, folder
        self.processes: list[BotProcess] = []

    def start(self, source: str, limits: Limits = LIMITS) -> BotProcess:
        (self.folder / "bot.py").write_text(source)
        process = self.zygote.start(self.folder, limits)
        self.processes.append(process)
        return process

    def load(self, source: str) -> Reason | None:
        return self.start(source).load()

    def ask(
        self, source: str, count: int = 8, times: int = 1, limits: Limits = LIMITS
    ) -> wire.Answer | Death:
        process = self.start(source, limits)
        assert process.load() is None
        process.tell(wire.Hello("no_thanks", {}))
        begun = [wire.Begun(table, bytes([table]) * 16) for table in range(count)]
        for _ in range(times):
            reply = ask(process, begun, count)
            begun = []
        return reply


def ask(process: BotProcess, begun: list[wire.Begun], count: int) -> wire.Answer | Death:
    views = []
    for table in range(count):
        state = no_thanks.State(OPTIONS, 3, no_thanks.deal(OPTIONS, 3, Random(table)))
        views.append(state.fields(state.turn or 0, table))
    return process.ask(begun, [], views)
