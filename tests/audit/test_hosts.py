"""Hosts that took more or less of the same bots than others."""

import pytest

from arena.audit import words
from arena.audit.audit import Audit, Views
from arena.audit.hosts import HOME, Spent, find_residuals


def session(host: str, bot: str, decision_us: float, decisions: int = 1000) -> Spent:
    return Spent(host, "1.00", ("no_thanks 3p", bot), decisions, decisions * decision_us / 1e6)


def test_a_bot_is_compared_with_itself_whoever_played_where() -> None:
    """The second host had the slow bot alone most of the time, and is as fast as the others."""
    spent = [
        *(session(host, "quick", 10) for host in ("", "one", "two")),
        *(session("two", "slow", 500) for _ in range(20)), session("one", "slow", 500),
    ]  # fmt: skip
    assert {each.host: each.ratio for each in find_residuals(spent)} == {
        HOME: pytest.approx(1), "one": pytest.approx(1), "two": pytest.approx(1),
    }  # fmt: skip
    assert not any(each.apart for each in find_residuals(spent))


def test_a_host_that_takes_more_is_apart() -> None:
    spent = [session(host, "ann", 15 if host == "two" else 10) for host in ("one", "two", "three")]
    assert {each.host: each.apart for each in find_residuals(spent)} == {
        "one": False, "three": False, "two": True,
    }  # fmt: skip
    (two,) = (each for each in find_residuals(spent) if each.apart)
    assert two.ratio == pytest.approx(1.5)
    lines = list(
        words.describe_audit(Audit(True, [], [], Views(0, 0, 0, []), [], find_residuals(spent)), 60)
    )
    assert any(line.split() == ["two", "1.00", "1", "1.50"] for line in lines)
    assert any(line.startswith("two: more than 1.25 times apart") for line in lines)
    assert max(map(len, lines[: lines.index("")])) <= 90


def test_where_nobody_else_played_the_same_nothing_is_said() -> None:
    assert find_residuals([session("one", "ann", 10)]) == []
    alone = find_residuals([session("one", "ann", 10), session("two", "bob", 99)])
    assert [each.ratio for each in alone] == [None, None]
    assert not any(each.apart for each in alone)
    assert find_residuals([session("one", "ann", 0), session("two", "ann", 0)])[0].ratio is None
