"""Tools for authors of bots: new bots, checks, replays, a debugger, tests.

`scaffold` writes a first bot or a league, `brief` a page with all that an author needs. `check`
tests a bot: `profiler` measures it, `check_results` evaluates, `check_report` prints. `replayer`
asks the current code the questions of recorded games, and `debugger` stops where it failed. Tests
of bots use `views` and `decide`, which `pytest_plugin` offers as fixtures, and `in_process` for
games without the sandbox.

Imports plan, session, process, league, store, schedule, tables, rating, system, sandbox, records,
audit and games; not runner, nor the command line. Begin with `check`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.author.brief import read_rules, write_brief
    from arena.author.check import check_bot
    from arena.author.check_report import CheckFault, describe_fault, format_report, format_summary
    from arena.author.debugger import (
        EDITOR_HOST,
        Debugger,
        check_editor,
        debug_game,
        debug_load,
        find_difference,
        find_failure,
        load_pdb,
        wait_for_editor,
    )
    from arena.author.replayer import (
        Archive,
        CurrentBot,
        Difference,
        RecordedGame,
        Replayer,
        find_current_bot,
        find_game,
        find_games,
        read_archive,
        read_recorded_game,
        rerun_games,
        start_replayer,
    )
    from arena.author.scaffold import STARTER, BotKind, find_unchanged, write_bot, write_league

__getattr__ = face(__name__)
