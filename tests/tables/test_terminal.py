"""Tables in narrow terminals: what gives way; and the time that bots used."""

import csv
import io
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.model import Limits, Pool, Timing
from arena.tables import terminal
from arena.tables.columns import columns_of
from arena.tables.layout import Table
from arena.tables.results import timing_csv
from arena.tables.terminal import cpu_times, fit_whole_texts, lines, warn_of_time
from tests.documents import example, hostile
from tests.places import EXPECTED

LONG = "a-name-as-long-as-names-may-be-x"  # 32 characters
HEADS = ("pool", "verdict", "ahead %", "sure", "games")
MATCH = Table("", (), HEADS, [
    ("Sixteen 2p", f"{LONG} is better than {LONG[::-1]}", "57 : 43", "97.3%",
     "1,060"),
    ("No Thanks! 3p", "not significant", "48 : 52", "", "5,000"),
])  # fmt: skip
GIVES_WAY, TEXTS = ("games", "sure"), ("pool", "verdict")


def test_a_match_between_long_names_is_the_kept_table(
    check_kept: Callable[[str, Path], None],
) -> None:
    made = [fit_whole_texts(MATCH.head, MATCH.rows, width, GIVES_WAY, TEXTS) for width in (60, 80)]
    assert [max(map(len, each)) for each in made] == [60, 80]
    check_kept("\n\n".join("\n".join(each) for each in made) + "\n", EXPECTED / "match.txt")


def test_no_text_is_lost_and_no_line_too_long() -> None:
    for width in range(60, 180):
        made = fit_whole_texts(MATCH.head, MATCH.rows, width, GIVES_WAY, TEXTS)
        assert max(map(len, made)) <= width
        begins = made[0].index("verdict")
        ends = made[0].index("ahead", begins)
        verdict = "".join(line[begins:ends] for line in made[2:] if "left out" not in line)
        assert (LONG + "isbetterthan" + LONG[::-1]) in verdict.replace(" ", "")
    assert fit_whole_texts(MATCH.head, MATCH.rows, 200, GIVES_WAY, TEXTS) == lines(MATCH)


def test_an_ascii_terminal_gets_bars_in_ascii_and_nothing_else_changes() -> None:
    text = terminal.plain(example(), 80, ascii=True)
    assert text == terminal.plain(example(), 80).translate(str.maketrans("·─●", ".-o"))
    assert not set("·─●") & {*text}


def test_a_bot_without_an_interval_has_a_question_mark_for_its_strength() -> None:
    """A lone dot at the end of a scale would look certain."""
    doc = example()
    doc = replace(doc, overall=(replace(doc.overall[0], interval=None), *doc.overall[1:]))
    said = terminal.first_screen(doc, 80)
    (first,) = re.findall(rf"\n *\d +{doc.overall[0].bot} .*", said)
    assert "?" in first
    assert not set("─●") & {*first}


@pytest.mark.parametrize("width", [60, 80, 120])
def test_all_columns_means_all_whatever_the_width(width: int) -> None:
    doc = hostile(LONG)
    text = terminal.plain(doc, width, every=True)
    assert max(map(len, text.splitlines())) <= width
    titles = {column.title for column in columns_of(doc.pools[0].table) if column.cell}
    heads = [before for before, rule in pairwise(text.split("\n")) if {*rule} == {"-"}]
    assert titles | {"strength"} <= {*re.split(r" {2,}", "  ".join(heads))}
    assert f"{LONG}0" in text


def test_before_its_first_game_a_table_shows_no_ratings() -> None:
    doc = example()
    doc = replace(doc, overall=tuple(replace(row, games=0) for row in doc.overall))
    text = terminal.first_screen(doc, 80)
    assert "No games." in text
    assert "●" not in text


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
    assert [*lines[0].values()][-3:] == ["20000.0", "45000.0", "50000"]
    assert lines[3]["cpu_us_per_decision"] == ""


def test_at_the_end_of_a_run_only_bots_near_their_limit_are_named() -> None:
    assert (
        warn_of_time(USED, Limits(cpu_ms=50)) == "Near the limit of 50 ms per decision: slow 45 ms"
    )
    assert warn_of_time(USED, Limits(cpu_ms=100)) == ""
    many = [Timing(THREE, f"b{number}", 10, 0.1, 0.09) for number in range(5)]
    assert warn_of_time(many, Limits(cpu_ms=100)).endswith("b2 90 ms and 2 more")


def test_who_was_over_the_limit_heads_the_list_even_without_a_decision() -> None:
    """Its one batch was never answered."""
    assert cpu_times(USED, Limits(cpu_ms=50), {"unasked": 24, "swift": 1}) == (
        "CPU time per decision, limit 50 ms:\n"
        "bot      time faults  worst batch  mean with loading\n"
        "----------------------------------------------------\n"
        "unasked           24            -                  -\n"
        "swift              1       9.9 µs             3.1 µs\n"
        "slow               0        45 ms             7.5 ms"
    )


def test_a_large_league_is_not_listed_in_full() -> None:
    many = [Timing(THREE, f"b{number:02}", 10, 0.1, 0.001 * number) for number in range(12)]
    text = cpu_times(many, Limits(), {})
    assert text.endswith("and 2 more, in timing.csv")
    assert ("b11" in text, "b01" in text) == (True, False)
    assert "b01" in cpu_times(many, Limits(), {"b01": 1})
    assert cpu_times(USED[3:], Limits(), {}) == ""
