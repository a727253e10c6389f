"""`results/NAME/arena.sqlite`, a tournament's results. Only this package uses SQL.

`store` reads and writes it, `schema` has its tables; `opening` finds its owner, locks it, and saves
the readable part of a damaged one. Games are stored in a `chunk`; `scan` reads them, damaged or
not, within limits of size and by `validation`. `plans` keeps the plan and the
choices, and follows the games that count; `history` keeps a league's weeks. `usage` has what bots
used, `loads` which did not load, `logs` why they failed. `public` makes copies for others, and
reveals the secret in the end.

Imports faults, records, schedule, sequential, system and games. Begin with `store`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.store.chunk import GAMES, Chunk, make_chunk, split_games, weigh_games
    from arena.store.history import (
        KeptWeek,
        check_label,
        drop_weeks,
        find_closed,
        keep_week,
        list_versions,
        read_weeks,
    )
    from arena.store.loads import Owed, find_owed, has_lost_any, keep_loads, play_anew, read_loads
    from arena.store.logs import (
        Logs,
        find_failed_phases,
        find_faulty_bots,
        find_forfeit_steps,
        find_prints,
    )
    from arena.store.opening import check_place, explain_no_room, hold_folder
    from arena.store.plans import (
        Counted,
        Follower,
        find_guests,
        find_known_hashes,
        find_missing,
        keep_choices,
        keep_plan,
        load_choices,
        load_plan,
        read_lines,
    )
    from arena.store.public import (
        AUTHORS,
        COMMITMENT,
        SECRET_FILE,
        Revealed,
        copy_store,
        format_revealed,
        is_revealed,
        load_commitment,
        load_secret,
        publish_secret,
        write_public,
    )
    from arena.store.scan import StoredGame, read_chunk
    from arena.store.schema import FILE, PUBLIC_FILE
    from arena.store.store import Store, map_over_store
    from arena.store.usage import keep_usage, read_sessions, read_timings, read_versions

__getattr__ = face(__name__)
