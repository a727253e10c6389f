"""Who plays whom, where and in what order.

`order` is the whole schedule of an entry; it numbers games and never lists them all. `line_ups`
chooses who meets, `seatings` who sits where, `seat_rotation` how later deals even that out.
`choices` are what a config leaves open, `sessions` the pieces in which games are played.

Imports games and sequential. Pure. Begin with `order`.
"""

from typing import TYPE_CHECKING

from arena.faces import face

if TYPE_CHECKING:
    from arena.schedule.choices import Choice, make_choices
    from arena.schedule.line_ups import LineUps, join_sets, weigh_line_ups
    from arena.schedule.order import Schedule, make_schedule, make_schedules
    from arena.schedule.seat_rotation import count_line_up_turns
    from arena.schedule.seatings import (
        MIXED,
        count_decks_of_deal,
        count_possible,
        count_seatings,
        make_seatings,
    )
    from arena.schedule.sessions import BOTS_PER_SESSION, Games, choose_session_size, cut_sessions

__getattr__ = face(__name__)
