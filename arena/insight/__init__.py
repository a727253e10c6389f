"""Why a bot lost: decisions that cost it games, found by playing stored games on in other ways.

`positions` finds the decisions of stored games. `worlds` plays games on from them, in sessions that
begin in the middle, with the bots that played. `report` has the results.

Imports session, process, store, records, schedule, rating, league, system, games and the
sandbox's `walls`. Begin with `worlds`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.insight.report import Explained

__getattr__ = face(__name__)
