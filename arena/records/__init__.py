"""Recorded games: the format, the check by the rules, the replay in words.

`record` writes records and judges them by the rules. `questions` finds what a seat was asked,
and writes it as a test; `replay` shows a game in words, step by step, with all hands or as one seat
saw it.

Imports faults and games. Pure. Begin with `record`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.records.questions import (
        CONFINED_NOTE,
        NOT_KNOWN,
        TEST_HEAD,
        Question,
        Step,
        find_all_questions,
        find_question_at,
        find_questions,
        format_test,
        next_arguments,
        play_steps,
        quote,
        view_arguments,
        walk_decisions,
        write_test,
    )
    from arena.records.record import (
        Divergence,
        OtherVersion,
        format_place,
        judge_record,
        make_body,
        make_line,
        open_record,
        parse_entry,
        parse_place,
        read_options,
    )
    from arena.records.replay import (
        Walk,
        call_seats,
        cut_prints,
        describe_result,
        describe_table,
        describe_zone,
        describe_zones,
        find_view,
        make_replay,
        name_seats,
        replay_lines,
        replay_to,
        sentences,
    )

__getattr__ = face(__name__)
