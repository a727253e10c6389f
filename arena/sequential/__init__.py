"""The sequential test: several looks at two bots while they play, without more errors than planned.

`stages` plans the looks at an entry's table, `limits` the error that each may use up; `verdicts`
judges two bots at a look, and `goals` has the pairs that must be decided before play stops. A look
is taken by `looks`, published as a `document`, and put in words by `wording`.

Imports rating. Pure. Begin with `verdicts`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.sequential.document import Pair, SettleTest
    from arena.sequential.looks import make_look, make_test
    from arena.sequential.stages import (
        FIRST_DECKS,
        STAGES_VERSION,
        find_look,
        is_possible_look,
        is_test_replanned,
        limit_to_look,
        may_go_on,
        plan_looks,
        plan_stages,
        take_all_deals,
    )
    from arena.sequential.wording import describe_forecast, describe_test

__getattr__ = face(__name__)
