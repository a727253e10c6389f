"""Numbers in words, however large or small."""

import pytest

from arena.words import duration, interval, possessive, short, short_duration, size


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 bytes"),
        (740, "740 bytes"),
        (999.6, "1.0 kB"),
        (8_080_000, "8.1 MB"),
        (9_960_000, "10 MB"),
        (340e15, "340 PB"),
        (2.5e18, "2.5 EB"),
        (1.2e33, "1.2e15 EB"),
    ],
)
def test_bytes_have_two_digits_or_more(number: float, words: str) -> None:
    assert size(number) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0"), (7, "7"), (0.27, "0.3"), (9.99, "10"), (4_096_800, "4,096,800"),
     (10**10 - 1, "9,999,999,999"), (10**10, "1.0e10"), (194_280_608_456_793_000, "1.9e17")],
)  # fmt: skip
def test_numbers_are_written_out_while_anybody_reads_them(number: float, words: str) -> None:
    assert short(number) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(44.6, "45 s"), (170, "3 min"), (7800, "2 h 10 min"), (47 * 3600, "47 h 0 min"),
     (50 * 3600, "2 days"), (100 * 86400, "100 days"), (3e9, "95 years"), (1e20, "3.2e12 years")],
)  # fmt: skip
def test_lengths_of_time_go_from_seconds_to_ages(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0.0 µs"),
        (3.14e-6, "3.1 µs"),
        (42e-6, "42 µs"),
        (1.84e-3, "1.8 ms"),
        (0.0421, "42 ms"),
    ],
)
def test_a_decision_s_time_has_two_digits_or_more(seconds: float, words: str) -> None:
    assert short_duration(seconds) == words


@pytest.mark.parametrize(
    ("ends", "form", "words"),
    [((1.25, 3.5), "z.2f", "1.25 to 3.50"), ((-0.001, None), "z.2f", "above 0.00"),
     ((None, 3.5), ".1f", "below 3.5"), ((-1.0, 1.0), "+.1f", "-1.0 to +1.0"),
     ((None, None), ".1f", "")],
)  # fmt: skip
def test_an_interval_may_be_open_at_either_end(
    ends: tuple[float | None, float | None], form: str, words: str
) -> None:
    assert interval(*ends, form) == words


def test_a_name_that_ends_with_s_has_an_apostrophe_alone() -> None:
    assert (possessive("ann"), possessive("arrays")) == ("ann's", "arrays'")
