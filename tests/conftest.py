"""What all tests rely on: signals as a terminal leaves them, and what `make check` leaves out.

`make check` runs what is neither `whole` nor `long`. All of tests/whole is `whole`; elsewhere a
test says so itself, and must if it starts the program.
"""

import signal

import pytest

from tests import leagues
from tests.places import ROOT

# A shell starts what it puts in the background with Ctrl-C ignored, and all that starts from there
# inherits it: tests that press Ctrl-C need it back.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "whole"):
            item.add_marker(pytest.mark.whole)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    marks = {mark.name for mark in item.iter_markers()}
    leagues.may_start_programs = bool(marks & {"whole", "long"})
