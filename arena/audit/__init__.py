"""Checks results instead of trusting them: verify, rerun, leaks, collusion.

`verify` judges a results folder: games (`game_check`), ratings (`refit`) and files (`published`).
`audit` checks whether play was fair: replayed games (`rerun`), views (`leaks`), bots that help
each other (`collusion`).

Imports faults, plan, session, process, league, store, schedule, tables, system, records, rating,
games and the sandbox's `walls`; not runner. Begin with `verify`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.audit.audit import audit_store, describe_audit
    from arena.audit.game_check import find_evidence, find_illegal, wrong_game
    from arena.audit.rerun import Again, bound_limits, check_allowed, describe_rerun, rerun_games
    from arena.audit.verify import (
        DAMAGED,
        MOST_LISTED,
        REPLAY,
        Finding,
        describe_verification,
        verify_store,
    )

__getattr__ = face(__name__)
