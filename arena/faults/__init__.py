"""Faults of bots in words: a `Reason` (arena.model) for people to read, grouped and with advice.

`reasons` words one of them, for its author or for everybody; `causes` groups a bot's by mistake,
and `remedies` advises the author.

Imports games alone. Begin with `reasons`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.faults.causes import (
        Cause,
        FaultyBot,
        KeptFault,
        describe_end_failures,
        describe_forfeits,
        group_by_cause,
        summarize_bot,
    )
    from arena.faults.reasons import (
        UNTOLD,
        Mistake,
        in_a_line,
        in_full,
        in_short,
        line_of,
        mistake_of,
        name_kind,
        published,
        shortened,
        with_view,
        without_ends,
    )
    from arena.faults.remedies import remedy

__getattr__ = face(__name__)
