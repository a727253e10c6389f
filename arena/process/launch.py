"""Starts bots' processes on whatever system this is."""

from pathlib import Path
from typing import Protocol

from arena.model import Limits
from arena.process.bot_process import BotProcess, Kind
from arena.system.abilities import HAS_WALLS


class Client(Protocol):
    """Starts bots' processes, of a kind that is asked for."""

    def start(self, path: Path, limits: Limits, kind: Kind = BotProcess) -> BotProcess:
        """Start a fresh process for the bot whose snapshot is the folder `path`. Raises ArenaError
        where that is gone.
        """

    def close(self) -> None:
        """End what starts them, and with it whatever that started."""


def start_client(confined: bool) -> Client:
    """Get ready to start processes, `confined` or not: forked from a zygote where the system has
    walls, else spawned. Raises Refusal where this machine refuses what that takes.
    """
    if HAS_WALLS:
        from arena.process.zygote_client import ZygoteClient

        return ZygoteClient(confined)
    from arena.process.spawned import SpawnClient

    return SpawnClient()
