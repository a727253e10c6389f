"""Exports a tournament for others and their tools.

`files` writes tables, records and a public store; `payoffs` the payoff table of a pool, for
empirical game theory. Imports tables, store, schedule, rating and system. Begin with `files`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.export.files import export

__getattr__ = face(__name__)
