"""What others and their tools may have of a tournament.

Imports tables, store, records, schedule, rating, games and system. Begin with `files`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.export.files import export

__getattr__ = face(__name__)
