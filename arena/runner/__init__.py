"""Plays a tournament's missing games, with this machine's workers or another executor.

`tournament` goes from plan to tables, draws the secret and reveals it; `run` plays the stages and
stores what comes back. Sessions are played by an `executor`: `local_executor` has one `worker` a
process. `loads` finds bots that cannot be loaded. `dry_run` estimates what is left.

Imports faults, plan, session, process, league, store, schedule, rating, sequential, tables,
system, games and the sandbox's `walls`. Begin with `tournament`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.runner.dry_run import PoolForecast, forecast
    from arena.runner.executor import Dispatcher, Executor, Finished, Hire, Order
    from arena.runner.loads import hire_here
    from arena.runner.tournament import (
        Ended,
        close_season,
        find_closed,
        find_season,
        play_tournament,
        reveal_secret,
        set_aside,
    )
    from arena.runner.worker import DONE, LOADED, PLAYED, STOP, LoadCheck, Task, Worker

__getattr__ = face(__name__)
