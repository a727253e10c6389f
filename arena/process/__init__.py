"""One bot's process, from outside: start it, ask it, measure it, end it.

Imports faults, sandbox, system and games. Begin with `asker`, through which every question to a bot
goes; it stands on `bot_process`, and that on `pipe`, `clock` and `death`. Processes come from
`zygote_client`, and `affinity` keeps those that take turns on one core. `doctor` tries the walls,
by the bot `probe`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.process.affinity import Group
    from arena.process.asker import Answers, Asker, Launcher, Reply, find_unloadable
    from arena.process.bot_process import BotProcess
    from arena.process.clock import core_wait_s, cpu_s
    from arena.process.death import Death, reason_of
    from arena.process.doctor import examine, try_child
    from arena.process.refusal import insist
    from arena.process.zygote_client import ZygoteClient

__getattr__ = face(__name__)
