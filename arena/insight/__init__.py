"""Explains losses: decisions that cost a bot games, found by playing stored games on differently.

`positions` finds the decisions of stored games. `worlds` plays games on from them, in sessions that
begin in the middle, with the bots that played. `game` explains a game by that. `bot` finds
rules that make a bot better: `rules` reads and carries them out, `search` proposes them,
`rule_code` writes them as Python. `report` has the results, and says them in sentences.

Imports faults, session, process, store, records, schedule, rating, league, system, games and the
sandbox's `walls`. Begin with `worlds`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.insight.bot import Pace, explain_bot, read_words
    from arena.insight.game import Budget, explain_game, write_tests
    from arena.insight.positions import (
        Recorded,
        find_decisions,
        find_games,
        open_game,
        read_sources,
    )
    from arena.insight.report import (
        Explained,
        Mark,
        SeatExplained,
        describe_advice,
        describe_explained,
        describe_good,
    )
    from arena.insight.rules import Rule, parse_rule
    from arena.insight.worlds import start_at

__getattr__ = face(__name__)
