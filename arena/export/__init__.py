"""What others and their tools may have of a tournament.

`files` writes tables, records and a public store; `payoffs` is a pool as empirical game theory
has it. Imports tables, store, schedule, rating and system. Begin with `files`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.export.files import export

__getattr__ = face(__name__)
