"""What is kept of a bot for its author: why and where in its game a seat forfeited."""

import pytest

from arena.model import Fault, Reason
from arena.store.logs import find_failed_phases, find_forfeit_steps
from arena.store.store import Store
from tests.store.games import add, game


def test_each_seat_of_each_game_has_its_own_step(store: Store) -> None:
    slow, wrong = Reason("time", "slow"), Reason("error", "raised")
    games = (
        game("a0"),
        game("b0", Fault(2, 4, slow), Fault(0, 9, wrong)),
        game("c0", Fault(1, 0, wrong)),
        game("d0", Fault(1, 7, slow)),
    )
    add(store, *games)
    known = {("b0", 2): 4, ("b0", 0): 9, ("c0", 1): 0}
    assert find_forfeit_steps(store, ["a0", "b0", "c0", "nowhere"]) == known
    assert find_forfeit_steps(store, []) == {}
    store.db.execute("UPDATE fault SET action_number = -5 WHERE game_id = 'd0'")
    store.db.execute("UPDATE fault SET action_number = 'x' WHERE game_id = 'c0'")
    assert find_forfeit_steps(store, ["c0", "d0"]) == {}


@pytest.mark.parametrize("damage", ["x", "{}", '{"kind":"slow"}', "[[[", b"\xff", 7])
def test_a_seat_s_phase_is_known_unless_what_is_kept_is_damaged(
    store: Store, damage: object
) -> None:
    wrong = Reason("error", "raised", phase="window", view="View()")
    faults = Fault(1, 4, wrong), Fault(2, 6, Reason("strikes", "lost")), Fault(0, 9, wrong)
    add(store, game("a0", *faults))
    assert find_failed_phases(store, "a0") == {0: "window", 1: "window"}
    store.db.execute("UPDATE fault SET reason = ? WHERE seat = 1", (damage,))
    assert find_failed_phases(store, "a0") == {0: "window"}
