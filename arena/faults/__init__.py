"""Faults of bots: the table of their kinds, and a `Reason` (arena.model) in words, with advice.

`kinds` has a row for each kind; `reasons` words one fault, for its author or for everybody;
`causes` groups a bot's by mistake, and `remedies` advises the author.

Imports games alone. Begin with `kinds`.
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
    from arena.faults.kinds import CAUSES, KINDS, MEASURED, UNASKED, CauseKind, FaultKind, name_kind
    from arena.faults.reasons import (
        UNTOLD,
        Mistake,
        in_a_line,
        in_full,
        in_short,
        line_of,
        mistake_of,
        publish,
        shorten,
        with_view,
        without_ends,
    )
    from arena.faults.remedies import remedy

__getattr__ = face(__name__)
