"""What is said of the time bots used."""

import csv
import io

from arena.model import Limits, Pool, Timing
from arena.tables import results, terminal

THREE, FOUR = Pool("no_thanks", 3, "{}", ""), Pool("no_thanks", 4, "{}", "")
USED = [
    Timing(THREE, "slow", 100, 2.0, 0.045),
    Timing(THREE, "swift", 1000, 0.0031, 0.0000099),
    Timing(FOUR, "slow", 300, 1.0, 0.012),
    Timing(FOUR, "unasked", 0, 0.2, 0.0),
]


def test_the_table_has_a_line_for_each_bot_and_pool() -> None:
    lines = list(csv.DictReader(io.StringIO(results.timing_csv(USED, Limits(cpu_ms=50)))))
    assert [line["bot"] for line in lines] == ["slow", "swift", "slow", "unasked"]
    assert lines[0]["cpu_us_a_decision"] == "20000.0"
    assert lines[0]["worst_batch_us_a_decision"] == "45000.0"
    assert {line["limit_us_a_decision"] for line in lines} == {"50000"}
    assert lines[3]["cpu_us_a_decision"] == ""


def test_the_terminal_shows_who_is_nearest_the_limit_all_pools_together() -> None:
    assert terminal.cpu_times(USED, Limits(cpu_ms=50), {"slow": 0, "swift": 0}) == (
        "CPU time per decision, limit 50 ms:\n"
        "bot      worst batch    mean with loading\n"
        "-----  -------------  -------------------\n"
        "slow           45 ms               7.5 ms\n"
        "swift         9.9 µs               3.1 µs"
    )


def test_who_was_over_the_limit_heads_the_list_even_without_a_decision() -> None:
    """Its one batch was never answered."""
    assert terminal.cpu_times(USED, Limits(cpu_ms=50), {"unasked": 24, "swift": 1}) == (
        "CPU time per decision, limit 50 ms:\n"
        "bot        time faults    worst batch    mean with loading\n"
        "-------  -------------  -------------  -------------------\n"
        "unasked             24              -                    -\n"
        "swift                1         9.9 µs               3.1 µs\n"
        "slow                 0          45 ms               7.5 ms"
    )


def test_a_large_league_is_not_listed_in_full() -> None:
    many = [Timing(THREE, f"b{number:02}", 10, 0.1, 0.001 * number) for number in range(12)]
    text = terminal.cpu_times(many, Limits(), {})
    assert text.endswith("and 2 more, in timing.csv")
    assert "b11" in text
    assert "b01" not in text
    assert "b01" in terminal.cpu_times(many, Limits(), {"b01": 1})


def test_where_nobody_decided_there_is_nothing_to_say() -> None:
    assert terminal.cpu_times(USED[3:], Limits(), {}) == ""
