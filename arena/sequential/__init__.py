"""The sequential test: several looks at two bots while they play, without more errors than planned.

`stages` plans the looks at an entry's table, `limits` the error that each may use up; `verdicts`
judges two bots at a look, and `goals` has the pairs that must be decided before play stops.

Imports rating. Pure. Begin with `verdicts`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.sequential.goals import (
        Comparison,
        count_pairs,
        describe_needs,
        describe_open,
        describe_reached,
        find_times,
        find_unplaced,
        is_of_neighbours,
        judge_for_goal,
        pick_pairs,
    )
    from arena.sequential.stages import (
        FIRST_DECKS,
        STAGES_VERSION,
        find_look,
        is_possible_look,
        is_test_replanned,
        limit_to_look,
        list_stages,
        may_go_on,
        plan_looks,
        plan_stages,
        take_all_deals,
    )
    from arena.sequential.verdicts import (
        LEAST_CLUSTERS,
        SAME,
        Answer,
        Design,
        Evidence,
        estimate_likely,
        find_least_error,
        find_needed,
        judge_pair,
    )

__getattr__ = face(__name__)
