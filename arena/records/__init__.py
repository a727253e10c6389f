"""A game as it is written down: the format, the judge who replays it, the game told in words.

`format` writes records, `judge` replays them by the rules. `questions` finds what a seat was asked,
`replay` tells a game in words and goes through it step by step, as all see it or one seat does,
and `as_test` turns a view into a test.

Imports games. Pure. Begin with `format`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.records.as_test import TEST_HEAD, view_arguments, write_test
    from arena.records.format import format_place, make_body, make_line, parse_place
    from arena.records.judge import Divergence, OtherVersion, judge_record, open_record
    from arena.records.questions import Question, find_question_at, find_questions
    from arena.records.replay import (
        Walk,
        cut_prints,
        describe_record,
        describe_result,
        describe_zone,
        describe_zones,
        find_view,
        format_prints,
        replay_as,
        replay_lines,
        replay_to,
    )

__getattr__ = face(__name__)
