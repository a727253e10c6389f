"""Exports a tournament for others and their tools.

`files` writes tables, records and a public store; `backup` a whole copy of the results for their
owner.

Imports tables, store, schedule and system. Begin with `files`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.export.backup import make_backup
    from arena.export.files import export

__getattr__ = face(__name__)
