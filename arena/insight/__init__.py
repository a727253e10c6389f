"""Why a bot lost: decisions that cost it games, found by playing stored games on in other ways.

`report` has the results.

Imports session, process, store, records, schedule, rating, league, system, games and the
sandbox's `walls`. Begin with `report`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.insight.report import Explained

__getattr__ = face(__name__)
