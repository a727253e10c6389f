"""Tables in narrow terminals: what gives way, and that it is said; and the time that bots used."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.model import Limits, Pool, Timing
from arena.tables import terminal
from arena.tables.layout import Table
from arena.tables.results import timing_csv
from arena.tables.terminal import LEAST, cpu_times, fit_whole_texts, left_out, lines
from tests.leagues import main, make
from tests.places import EXPECTED
from tests.sessions import CHANCE
from tests.tables.test_formats import example

LONG = "a-name-as-long-as-names-may-be-x"  # 32 characters
HEADS = ("pool", "verdict", "mu", "95% interval", "sure", "games", "look")
MATCH = Table("", (), HEADS, [
    ("Sixteen 2p", f"{LONG} is better than {LONG[::-1]}", "+1.14", "+0.12 to +2.16", "97.3%",
     "1,060", "3 of 10"),
    ("No Thanks! 3p", "undecided", "-0.50", "-2.63 to +1.64", "", "5,000", "10 of 10"),
])  # fmt: skip
GIVES_WAY, TEXTS = ("look", "games", "sure"), ("pool", "verdict")


@pytest.mark.parametrize("width", [60, 80])
def test_a_match_between_long_names_is_the_kept_table(
    width: int, check_kept: Callable[[str, Path], None]
) -> None:
    made = fit_whole_texts(MATCH.head, MATCH.rows, width, GIVES_WAY, TEXTS)
    check_kept("\n".join(made) + "\n", EXPECTED / f"match-{width}.txt")
    assert max(map(len, made)) <= width


@pytest.mark.parametrize("width", range(60, 180))
def test_no_text_is_lost_and_no_line_too_long(width: int) -> None:
    made = fit_whole_texts(MATCH.head, MATCH.rows, width, GIVES_WAY, TEXTS)
    assert max(map(len, made)) <= width
    begins = made[0].index("verdict")
    ends = made[0].index("mu", begins)
    verdict = "".join(line[begins : ends - 4] for line in made[2:] if "left out" not in line)
    assert (LONG + "isbetterthan" + LONG[::-1]) in verdict.replace(" ", "")


def test_where_all_fits_nothing_is_said() -> None:
    assert fit_whole_texts(MATCH.head, MATCH.rows, 200, GIVES_WAY, TEXTS) == lines(MATCH)
    assert left_out([MATCH], [MATCH], "--json") == []


def test_a_column_of_texts_keeps_some_characters_however_narrow_it_is() -> None:
    made = fit_whole_texts(("bot",), [("x" * 20,)], 1, (), ("bot",))
    assert [len(line.strip()) for line in made[2:]] == [LEAST, LEAST, 4]


@pytest.mark.parametrize("width", [60, 80])
def test_the_standings_say_which_columns_they_leave_out(width: int) -> None:
    text = terminal.plain(example(), width)
    assert max(map(len, text.splitlines())) <= width
    shown = set(text.split("Overall\n")[1].splitlines()[0].split())
    told = " ".join(text.split()).partition("left out at this width: ")[2].partition(";")[0]
    everything = {"#", "places", "bot", "rating", "±", "duels", "next", "first", "low"}
    assert everything | {"wins", "games", "faults"} <= shown | set(told.split(", "))
    assert "low" in told.split(", ")
    assert (width == 80) == ("first" not in told.split(", "))


def test_no_line_begins_with_the_sign_of_a_percentage() -> None:
    doc = example()
    for width in range(60, 121):
        assert not [
            line for line in terminal.plain(doc, width).splitlines() if line.strip()[:1] == "%"
        ]


def test_a_dry_run_fits(tmp_path: Path) -> None:
    config = make(tmp_path, (
        "[[games]]\ngame = \"no_thanks\"\nplayers = 3\ndeals = 1\n"
        "options = { extended = true, open_chips = true, chips = 20 }\n"
    ), {name: CHANCE + f"# {name}" for name in ("ann", "bob", "cid")})  # fmt: skip
    for width in (60, 80):
        shown = main("tournament", config, "--dry-run", environment={"COLUMNS": str(width)})
        table = shown.stdout.decode().split("\n\n")[0].splitlines()
        assert max(map(len, table)) <= width, shown
        assert table[0].split() == ["pool", *table[0].split()[1:]]
        assert "time" in table[0]


THREE, FOUR = Pool("no_thanks", 3, "{}", ""), Pool("no_thanks", 4, "{}", "")
USED = [
    Timing(THREE, "slow", 100, 2.0, 0.045),
    Timing(THREE, "swift", 1000, 0.0031, 0.0000099),
    Timing(FOUR, "slow", 300, 1.0, 0.012),
    Timing(FOUR, "unasked", 0, 0.2, 0.0),
]


def test_the_table_has_a_line_for_each_bot_and_pool() -> None:
    lines = list(csv.DictReader(io.StringIO(timing_csv(USED, Limits(cpu_ms=50)))))
    assert [line["bot"] for line in lines] == ["slow", "swift", "slow", "unasked"]
    assert lines[0]["cpu_us_a_decision"] == "20000.0"
    assert lines[0]["worst_batch_us_a_decision"] == "45000.0"
    assert {line["limit_us_a_decision"] for line in lines} == {"50000"}
    assert lines[3]["cpu_us_a_decision"] == ""


def test_the_terminal_shows_who_is_nearest_the_limit_all_pools_together() -> None:
    assert cpu_times(USED, Limits(cpu_ms=50), {"slow": 0, "swift": 0}) == (
        "CPU time per decision, limit 50 ms:\n"
        "bot      worst batch    mean with loading\n"
        "-----  -------------  -------------------\n"
        "slow           45 ms               7.5 ms\n"
        "swift         9.9 µs               3.1 µs"
    )


def test_who_was_over_the_limit_heads_the_list_even_without_a_decision() -> None:
    """Its one batch was never answered."""
    assert cpu_times(USED, Limits(cpu_ms=50), {"unasked": 24, "swift": 1}) == (
        "CPU time per decision, limit 50 ms:\n"
        "bot        time faults    worst batch    mean with loading\n"
        "-------  -------------  -------------  -------------------\n"
        "unasked             24              -                    -\n"
        "swift                1         9.9 µs               3.1 µs\n"
        "slow                 0          45 ms               7.5 ms"
    )


def test_a_large_league_is_not_listed_in_full() -> None:
    many = [Timing(THREE, f"b{number:02}", 10, 0.1, 0.001 * number) for number in range(12)]
    text = cpu_times(many, Limits(), {})
    assert text.endswith("and 2 more, in timing.csv")
    assert "b11" in text
    assert "b01" not in text
    assert "b01" in cpu_times(many, Limits(), {"b01": 1})


def test_where_nobody_decided_there_is_nothing_to_say() -> None:
    assert cpu_times(USED[3:], Limits(), {}) == ""
