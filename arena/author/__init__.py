"""Tools for authors of bots: new bots, checks, replays, tests.

`scaffold` writes a first bot or a league, `brief` a page with all that an author needs. `check`
tests a bot: `profiler` measures it, `check_results` evaluates, `check_report` prints. `archive`
reads recorded games, and `replayer` asks the current code their questions. Tests of bots use
`views` and `decide`, which `pytest_plugin` offers as fixtures, `game_tests` for recorded games, and
`in_process` for games without the sandbox.

Imports faults, plan, session, process, league, store, schedule, tables, rating, system, sandbox,
records, audit and games; not runner, nor the command line. Begin with `check`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.author.archive import find_game, find_games, read_archive
    from arena.author.brief import read_rules, write_brief
    from arena.author.check import check_bot
    from arena.author.check_report import CheckFault, describe_fault, format_report, format_summary
    from arena.author.game_tests import GameTest, read_game_test, write_game_tests
    from arena.author.replayer import (
        CurrentBot,
        Difference,
        Replayer,
        find_current_bot,
        rerun_games,
        start_replayer,
    )
    from arena.author.scaffold import STARTER, BotKind, find_unchanged, write_bot, write_league
    from arena.author.views import RecordedGame

__getattr__ = face(__name__)
