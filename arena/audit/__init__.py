"""Nothing is taken on trust: verify, rerun, leaks, collusion.

`verify` judges a results folder: games (`legal_record`, `deals`), ratings (`refit`), files
(`published`, `document_diff`); `verification` is its result. `audit` asks whether play was fair:
games played again (`rerun`), views (`leaks`), bots that help each other (`collusion`), hosts that
play differently (`host_games`). `words` tells both.

Imports plan, session, process, league, store, schedule, tables, system, records, rating, games and
the sandbox's `walls`; not runner. Begin with `verify`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.audit.audit import audit_store
    from arena.audit.deals import find_evidence
    from arena.audit.legal_record import find_illegal
    from arena.audit.rerun import Again, bound_limits, check_allowed, describe_rerun, rerun_games
    from arena.audit.verification import DAMAGED, REPLAY, Finding
    from arena.audit.verify import verify_store, wrong_game
    from arena.audit.words import MOST_LISTED, describe_audit, describe_verification

__getattr__ = face(__name__)
