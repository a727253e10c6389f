"""Hosts that took more CPU time of the same bots, or whose games ended otherwise, than others."""

from collections.abc import Iterator
from itertools import combinations
from math import comb, sqrt
from random import Random

import pytest

from arena.audit.audit import Audit, Findings, Views, describe_audit
from arena.audit.host_games import HOME, LEAST, LEVEL, OnHost, Spent, compare_hosts, find_residuals
from arena.model import Outcome

HOSTS = ("", "one", "two")
Games = list[tuple[Outcome, str]]


def game(bots: tuple[str, ...], ranks: tuple[int, ...], faults: tuple[str, ...] = ()) -> Outcome:
    return Outcome("id", bots, ranks, ranks, faults or ("",) * len(bots))


def league(
    rng: Random,
    games: int,
    slow: dict[str, float] | None = None,
    worse: str | None = None,
    bots: int = 6,
) -> Games:
    """Return games of three, dealt to hosts at random; `slow` are hosts' rates of time faults, and
    on a host of `worse` the bot `a` loses one game in four that it would have won.
    """
    names = "abcdefghij"[:bots]
    played: Games = []
    for number in range(games):
        host = rng.choice(HOSTS)
        line_up = rng.choice([*combinations(names, 3)])
        strength = {bot: rng.gauss(-names.index(bot) / 2, 1) for bot in line_up}
        if host == worse and "a" in line_up and rng.random() < 0.25:
            strength["a"] = -99.0
        order = sorted(line_up, key=strength.__getitem__, reverse=True)
        rate = (slow or {}).get(host, 0.002)
        faults = tuple("time" if rng.random() < rate else "" for _ in line_up)
        ranks = tuple(order.index(bot) + 1 for bot in line_up)
        played.append((Outcome(str(number), line_up, ranks, ranks, faults), host))
    return played


def named(found: list[OnHost]) -> list[str]:
    return [each.host for each in found if each.apart]


def test_where_all_was_played_on_one_machine_nothing_is_compared() -> None:
    assert compare_hosts([]) == []
    assert compare_hosts([("pool", [(game(("a", "b"), (1, 2)), "")] * 99)]) == []


def test_who_played_other_line_ups_is_compared_with_nobody() -> None:
    first, second = game(("a", "b"), (1, 2)), game(("a", "c"), (2, 1), ("time", ""))
    found = compare_hosts([("pool", [(first, "one")] * 99 + [(second, "two")] * 99)])
    assert [(each.host, each.faults, each.furthest) for each in found] == [
        ("one", None, None), ("two", None, None),
    ]  # fmt: skip


def test_a_single_stratum_is_fishers_exact_test() -> None:
    """Fisher 1935: of 12 games here and 20 elsewhere, all 3 faults here."""
    late, well = game(("a", "b"), (2, 1), ("time", "")), game(("a", "b"), (2, 1))
    games = [(late, "one")] * 3 + [(well, "one")] * 9 + [(well, "two")] * 20
    one, two = compare_hosts([("pool", games)])
    assert one.faults is not None
    assert two.faults is not None
    assert (one.faults.seats, one.faults.faults) == (24, 3)
    assert one.faults.expected == pytest.approx(3 * 12 / 32)
    assert one.faults.p == pytest.approx(comb(12, 3) / comb(32, 3))
    assert one.faults.p_holm == pytest.approx(2 * one.faults.p)
    assert (two.faults.faults, two.faults.p) == (0, 1.0)


def test_a_bot_that_is_always_late_says_nothing_of_hosts() -> None:
    late, well = game(("a", "b"), (2, 1), ("time", "")), game(("c", "d"), (2, 1))
    games = [(late, "one")] * 90 + [(late, "two")] * 10
    games += [(well, host) for host in ("one", "two") for _ in range(50)]
    for each in compare_hosts([("pool", games)]):
        assert each.faults is not None
        assert each.faults.expected == pytest.approx(each.faults.faults)
        assert each.faults.p == 1.0


def test_the_gain_of_a_single_stratum_is_the_difference_of_its_means() -> None:
    """And its error that of two samples drawn from all of it (Cochran 1977, 2.5)."""
    won, lost = game(("a", "b"), (1, 2)), game(("a", "b"), (2, 1))
    games = [(won, "one")] * 30 + [(lost, "one")] * 10 + [(won, "two")] * 30 + [(lost, "two")] * 30
    one, two = compare_hosts([("pool", games)])
    assert one.furthest is not None
    assert two.furthest is not None
    assert (one.furthest.bot, one.furthest.games) == ("a", 40)
    assert one.furthest.points == pytest.approx(100 * (0.75 - 0.5))
    assert two.furthest.points == pytest.approx(-one.furthest.points)
    spread = 0.6 * 0.4 * 100 / 99
    assert one.furthest.points_se == pytest.approx(100 * sqrt(spread * (1 / 40 + 1 / 60)))
    assert one.furthest.p_holm == pytest.approx(4 * one.furthest.p)  # two bots on two hosts


def test_of_few_games_there_is_no_figure() -> None:
    won, lost = game(("a", "b"), (1, 2)), game(("a", "b"), (2, 1))
    few = [(won, "one")] * (LEAST - 1) + [(lost, "two")] * 500
    assert [each.furthest for each in compare_hosts([("pool", few)])] == [None, None]
    enough = compare_hosts([("pool", [*few, (won, "one")])])
    assert named(enough) == ["one", "two"]


def test_games_of_the_struck_out_are_left_out() -> None:
    """All later games of that session were lost, for what came before in it."""
    out, even = game(("a", "b"), (2, 1), ("strikes", "")), game(("a", "b"), (1, 1))
    games = [(even, host) for host in ("one", "two") for _ in range(50)]
    assert named(compare_hosts([("pool", [*games, *[(out, "one")] * 400])])) == []


def test_a_host_on_which_bots_are_late_is_named(seed: int) -> None:
    found = compare_hosts([("pool", league(Random(seed), 6000, slow={"two": 0.02}))])
    assert [each.host for each in found if each.faults and each.faults.apart] == ["two"]
    (two,) = (each.faults for each in found if each.host == "two")
    assert two is not None
    assert two.faults > 1.5 * two.expected  # 120 of 48: five times the error


def test_a_host_on_which_a_bot_does_worse_is_named(seed: int) -> None:
    found = compare_hosts([("pool", league(Random(seed), 6000, worse="two"))])
    (two,) = (each.furthest for each in found if each.host == "two")
    assert "two" in named(found)
    assert two is not None
    assert (two.bot, two.points < 0) == ("a", True)


def leagues(seed: int, count: int) -> Iterator[list[OnHost]]:
    """Yield what is found in leagues whose hosts do not matter: few faults, few games."""
    for number in range(count):
        rng = Random(f"{seed} {number}")
        rates = dict.fromkeys(HOSTS, rng.choice([0.0, 0.001, 0.05]))
        yield compare_hosts([("pool", league(rng, 900, rates, bots=4))])


@pytest.mark.long
def test_hosts_that_do_not_matter_are_named_no_oftener_than_is_said(seed: int) -> None:
    """Two families are held to LEVEL each; beside that four times the error of so many leagues."""
    count = 600
    found = list(leagues(seed, count))
    late = sum(any(each.faults and each.faults.apart for each in own) for own in found)
    other = sum(any(each.furthest and each.furthest.apart for each in own) for own in found)
    print(f"named for faults {late}, for results {other} of {count}")
    most = count * LEVEL + 4 * sqrt(count * LEVEL * (1 - LEVEL))
    assert late <= most
    assert 0 < other <= most


def test_this_machine_has_a_name_too(seed: int) -> None:
    assert [each.host for each in compare_hosts([("pool", league(Random(seed), 50))])] == [
        HOME, "one", "two",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [60, 100])
def test_hosts_that_share_no_line_up_are_not_said_to_be_alike(width: int) -> None:
    alone = [OnHost(host, None, None) for host in ("ann", "bob")]  # as where each plays a shard
    findings = Findings([], [], Views(0, 0, 0, []), [], [], alone)
    lines = list(describe_audit(Audit(True, [], findings), width))
    assert "Nothing to compare: no line-up was played on two hosts" in lines
    assert not any("no host differs" in line for line in lines)


def session(host: str, bot: str, decision_us: float, decisions: int = 1000) -> Spent:
    return Spent(host, "1.00", ("No Thanks! 3p", bot), decisions, decisions * decision_us / 1e6)


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
    findings = Findings([], [], Views(0, 0, 0, []), [], find_residuals(spent), [])
    lines = list(describe_audit(Audit(True, [], findings), 60))
    assert any(line.split() == ["two", "1.00", "1", "1.50"] for line in lines)
    assert any(
        line.startswith("two: CPU times differ by a factor of more than 1.25; ") for line in lines
    )
    assert max(map(len, lines[: lines.index("")])) <= 90


def test_where_nobody_else_played_the_same_nothing_is_said() -> None:
    assert find_residuals([session("one", "ann", 10)]) == []
    alone = find_residuals([session("one", "ann", 10), session("two", "bob", 99)])
    assert [each.ratio for each in alone] == [None, None]
    assert not any(each.apart for each in alone)
    assert find_residuals([session("one", "ann", 0), session("two", "ann", 0)])[0].ratio is None
