"""What decisions cost: quantiles of sessions, by hand."""

from arena.model import Pool, Timing
from arena.site.facts_cpu import by_bot, cpu_of

POOL = Pool("sixteen", 2, "{}", "")


def session(decisions: int, cpu_s: float, worst_s: float) -> Timing:
    return Timing(POOL, "ann", decisions, cpu_s, worst_s)


def test_quantiles_are_of_sessions_and_the_mean_is_of_decisions() -> None:
    sessions = [session(100, 1.0, 0.02), session(300, 9.0, 0.05), session(0, 0.5, 0.0)]
    found = cpu_of(sessions)
    assert found is not None
    assert (found.sessions, found.decisions) == (2, 400)
    assert found.mean_s == 10 / 400
    assert found.means_s == (0.01, 0.03, 0.03)  # half of two is one; nine tenths are both
    assert found.worst_s == (0.02, 0.05, 0.05)


def test_of_ten_the_ninth_is_nine_tenths() -> None:
    found = cpu_of([session(1, float(at), 0.0) for at in range(1, 11)])
    assert found is not None
    assert found.means_s == (5.0, 9.0, 10.0)


def test_who_decided_nothing_used_nothing_that_can_be_told() -> None:
    assert cpu_of([session(0, 1.0, 0.0)]) is None
    assert by_bot([]) == {}
