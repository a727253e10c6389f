"""Plans from a TOML file or the words of a match, checked before anything is played.

`toml` reads a file with its lines, `keys` types it, `config` checks it whole. `plan` makes it a
plan of games, bots and folder; so does `match` for two bots, and for one game by hand.

Imports league, schedule, sequential, process, system, games and the sandbox's `walls`.
Begin with `plan`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.plan.config import make_pool
    from arena.plan.match import HUMAN, ByHand, Terms, find_free_name, plan_by_hand, plan_match
    from arena.plan.plan import Plan, check_walls, plan_tournament

__getattr__ = face(__name__)
