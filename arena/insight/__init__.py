"""Why a bot lost: decisions that cost it games, found by playing stored games on in other ways.

`positions` finds the decisions of stored games. `worlds` plays games on from them, in sessions that
begin in the middle, with the bots that played. `game` explains a game by that; `report` has the
results, and says them in sentences.

Imports session, process, store, records, schedule, rating, league, system, games and the
sandbox's `walls`. Begin with `worlds`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.insight.game import Budget, explain_game
    from arena.insight.positions import open_game, read_sources
    from arena.insight.report import Explained, describe_explained, find_runs

__getattr__ = face(__name__)
