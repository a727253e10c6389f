"""No published digit hangs on rounding: other CPUs' instructions and noise make the same tables."""

import pytest

from arena.tables.results import cpu_features
from tests import digits

SOME = (0, 3, 40)  # leagues with mirrored results and with two games among them


@pytest.fixture(scope="module")
def kept() -> list[str]:
    return digits.digests(SOME)


def test_noise_changes_no_table(kept: list[str], seed: int) -> None:
    assert digits.digests(SOME, seed) == kept


@pytest.mark.whole
def test_older_instructions_change_no_table(kept: list[str]) -> None:
    oldest = digits.settings()[-1]
    assert digits.elsewhere(oldest, SOME) == kept


@pytest.mark.long
@pytest.mark.parametrize("setting", digits.settings(), ids=str)
def test_no_setting_changes_any_of_200_leagues(setting: dict[str, str]) -> None:
    assert digits.elsewhere(setting, range(200)) == digits.digests(range(200))


@pytest.mark.whole
def test_the_features_of_a_cpu_without_any_are_told() -> None:
    """numpy leaves out a list of its features that is empty."""
    program = "from arena.tables.results import cpu_features; print(*cpu_features())"
    oldest = digits.settings()[-1]
    off = {*oldest.get("NPY_DISABLE_CPU_FEATURES", "").split()}
    assert {*digits.run(oldest, program).split()} == {*cpu_features()} - off
