"""What arena asks of the machine for itself: signals, processes and cores, files written whole.

`signals` stops in order; `parallel` shares work among processes; `affinity`, by the rules of
`contention`, keeps a group on one core; `folders` are for drafts that come to their place whole, by
`locks`; `speed` and `versions` say what machine this is.

Imports `sandbox.walls.die_with`. Begin with `signals`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.system.affinity import Group
    from arena.system.folders import (
        lock_abandoned_folders,
        make_locked_folder,
        replace_file,
        replace_folder,
        write_atomically,
        write_tree,
    )
    from arena.system.locks import Holder, find_free_path, find_holder, lock_folder
    from arena.system.parallel import map_in_processes, tick, ticking
    from arena.system.signals import (
        SIGNALS,
        Stopped,
        ignore_signals,
        shield_children,
        stop_at_once,
        stop_in_order,
    )
    from arena.system.speed import measure_work_s
    from arena.system.versions import (
        all_versions,
        installed_versions,
        result_versions,
        version_differences,
    )

__getattr__ = face(__name__)
