"""Arena's own use of the machine: signals, processes, files written whole.

`signals` stops in order; `parallel` shares work among processes; `folders` moves finished drafts
into place, and locks and tries folders; `machine` says what is here, and how much of it is ours.

Imports `sandbox.walls.die_with` and games. Begin with `signals`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.system.folders import (
        SNAPSHOTS,
        find_free_path,
        find_holder,
        find_lack,
        find_wrong_sums,
        lock_abandoned_folders,
        lock_folder,
        make_cache_folder,
        make_locked_folder,
        read_ordinary_file,
        remove_left_drafts,
        replace_file,
        replace_folder,
        write_atomically,
        write_sums,
        write_tree,
    )
    from arena.system.machine import (
        WORKER_MIB,
        all_versions,
        choose_workers,
        describe_arithmetic,
        find_memory_mib,
        installed_versions,
        read_clock,
        result_versions,
        version_differences,
    )
    from arena.system.parallel import map_here, map_in_processes, tick
    from arena.system.signals import SIGNALS, Stopped, shield_children, stop_in_order

__getattr__ = face(__name__)
