"""The league's folder: bots on disk, found, read, hashed, copied.

`bots` finds them by names, paths and globs; `files` reads, hashes and copies one, `revisions` reads
it as it was in another git revision. `entries` reads the bots of a config once.

Imports system and games. Begin with `bots`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.league.author import read_author
    from arena.league.bots import (
        BOTS,
        ENTRY_FILE,
        NAME,
        NAME_RULE,
        NO_BOT,
        WILD,
        BotPath,
        as_glob,
        check_glob,
        find_bot,
        find_bots,
        find_house,
        find_house_bots,
        find_league,
        find_twins,
        raise_problems,
        suggest_name,
    )
    from arena.league.entries import Entries, Sources, read_entries, restore_entries
    from arena.league.files import (
        Source,
        check_source,
        explain_write_errors,
        find_place,
        hash_source,
        hash_text,
        read_bot,
        sweep_snapshots,
        write_snapshots,
    )
    from arena.league.revisions import name_revision, read_revision

__getattr__ = face(__name__)
