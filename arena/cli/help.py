"""How the pages of `--help` read: typer's own, less what says nothing."""

import re
from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

NAMES = {"help_option_names": ["--help", "-h"]}
"""Settings of the program's context, from which each command has its own."""


class Command(TyperCommand):
    """A command whose page names no type beside a flag, and no braces round an argument."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return arguments and options, `--help` among them."""
        return _untyped_flags(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line: `RESULTS`, which typer writes as `{RESULTS}`; of one
        that may stand several times `IN...`.
        """
        return [re.sub("[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]


class Group(TyperGroup):
    """The program itself, with the same pages as its commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options, those that typer adds among them."""
        return _untyped_flags(super().get_params(ctx))


def _untyped_flags(params: Iterable[Any]) -> list[Any]:
    params = list(params)
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""  # else it is shown as `--json <bool>`, as if it took a word
    return params
