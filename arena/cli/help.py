"""The text of `--help`, and the errors of words that make no command: plain text, no boxes.

A command's page comes from its docstring (a sentence, examples, exit codes) and from the texts of
its parameters.
"""

import os
import re
from contextlib import suppress
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from arena.cli.terminal import is_dumb, paint, rewrite_commands
from arena.errors import FAILED, INTERRUPTED, OVER_MAX_FAULTS, UNCONFINABLE, USAGE, UsageError
from arena.words import nearest

USAGE_ERROR: Any = typer.BadParameter.__base__
"""The exception of click for words that make no command; some versions of typer have their own."""

CODES = {
    0: "done",
    FAILED: "the command failed (the message says why)",
    USAGE: "wrong usage or config",
    OVER_MAX_FAULTS: "a bot has more faults than --max-faults",
    UNCONFINABLE: "bots cannot be sandboxed here",
    INTERRUPTED: "interrupted",
}
"""Meanings of exit codes where a command's docstring does not say more."""

LIKE = 0.6  # words alike enough to be mistyped
FIRST_STEPS = ("arena init my-league", "cd my-league", "arena tournament tournaments/first.toml")


class _Plain:
    """Shared by the program and its commands: our words for typer's own."""

    def get_params(self, ctx: Any) -> list[Any]:
        params = list(super().get_params(ctx))  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""  # else it is shown as `--json <bool>`, as if it took a word
            if param.name == "help":
                param.help = "Show this help."
            param.hidden = param.hidden or param.name == "show_completion"
        return params

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            with suppress(*[UsageError] * ctx.resilient_parsing):  # the shell completes a word
                return super().parse_args(ctx, args)  # type: ignore[misc,no-any-return]
        except USAGE_ERROR as error:
            raise UsageError(_reword(error, ctx)) from None
        return []

    def get_help(self, ctx: Any) -> str:
        return rewrite_commands(super().get_help(ctx))  # type: ignore[misc]


class Command(_Plain, TyperCommand):
    """A command, whose help ends with examples and exit codes."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words of the usage line: `RESULTS [BOT]`, and options that must be given."""
        pieces = []
        for param in self.get_params(ctx):
            if param.param_type_name == "argument":
                pieces.append(param.metavar if param.required else f"[{param.metavar}]")
            elif param.required:
                pieces.append(_names(param))
        return ["[OPTIONS]", *pieces]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        what, examples, codes = read_page(self.help or "")
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text(what)
        _write_params(formatter, self.get_params(ctx))
        _write_lines(formatter, "Example" if len(examples) == 1 else "Examples", examples)
        with formatter.section(_heading("Exit codes")):
            formatter.write_dl([(str(code), words) for code, words in codes.items()])


class Commands(_Plain, TyperGroup):
    """The program, whose help lists the commands in their groups."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:  # else the shell completes a word
            self._introduce(ctx)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            near = nearest(args[0], self.commands, LIKE)
            hint = f"did you mean {near!r}?" if near else "`arena --help` lists all commands"
            raise UsageError(f"{args[0]}: no such command; {hint}")
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        longest = max(map(len, self.commands))
        formatter.write(f"Usage: arena COMMAND [OPTIONS]\n\n{self.help}\n")
        for group, commands in self._groups().items():
            with formatter.section(_heading(group)):
                formatter.write_dl(
                    [(f"{item.name:<{longest}}", read_page(item.help)[0]) for item in commands]
                )
        _write_params(formatter, self.get_params(ctx))
        formatter.write_paragraph()
        formatter.write_text(
            "`arena COMMAND --help` shows a command's options, an example and the exit codes."
        )

    def _introduce(self, ctx: Any) -> None:
        """Print what fits on half a screen, and exit: no command was given."""
        formatter = ctx.make_formatter()
        formatter.write(f"{self.help}\n\n")
        formatter.write_dl(
            [(group, ", ".join(item.name for item in commands))
             for group, commands in self._groups().items()]
        )  # fmt: skip
        _write_lines(formatter, "Make a league", FIRST_STEPS)
        formatter.write_paragraph()
        formatter.write_text("`arena --help` says what each command does.")
        paint(rewrite_commands(formatter.getvalue()))
        raise typer.Exit(USAGE)

    def _groups(self) -> dict[str, list[Any]]:
        groups = dict[str, list[Any]]()
        for command in self.commands.values():
            groups.setdefault(command.rich_help_panel, []).append(command)  # type: ignore[attr-defined]
        return groups


def read_page(docstring: str) -> tuple[str, list[str], dict[int, str]]:
    """Read a command's docstring: its sentence, its examples, and its exit codes with their words.

    Codes stand there as `0 sound; 1 not sound; 2`; those without words have those of `CODES`.
    """
    what, _, rest = docstring.partition("\n\n")
    details, _, listed = rest.partition("Exit codes:")
    codes = dict[int, str]()
    for code, words in re.findall(r"(\d+)\s*([^;]*)", listed):
        codes[int(code)] = " ".join(words.split()) or CODES[int(code)]
    return what, re.findall(r"^Example: (.*)$", details, re.MULTILINE), codes


def _names(param: Any) -> str:
    """A parameter as it is typed: `BOT...`, `-q, --quiet`, `--to DIR`."""
    if param.param_type_name == "argument":
        return str(param.metavar)
    return " ".join([", ".join(sorted(param.opts, key=len)), param.metavar or ""]).strip()


def _write_params(formatter: Any, params: list[Any]) -> None:
    for kind in ("argument", "option"):
        rows = [
            (_names(param), param.help)
            for param in params
            if param.param_type_name == kind and not param.hidden
        ]
        if rows:
            with formatter.section(_heading(f"{kind.title()}s")):
                formatter.write_dl(rows)


def _write_lines(formatter: Any, heading: str, lines: Any) -> None:
    """Write commands to type, as they are: a line that is wrapped cannot be copied."""
    with formatter.section(_heading(heading)):
        formatter.write("".join(f"  {line}\n" for line in lines))


def _heading(words: str) -> str:
    return words if is_dumb() or os.environ.get("NO_COLOR") else typer.style(words, bold=True)


def _reword(error: Any, ctx: Any) -> str:
    kind, param, message = type(error).__name__, getattr(error, "param", None), str(error.message)
    usage = f"`{ctx.command_path} --help` shows its usage"
    if kind == "NoSuchOption":
        options = [name for param in ctx.command.get_params(ctx) for name in param.opts]
        near = nearest(error.option_name, [name for name in options if name[:1] == "-"], LIKE)
        hint = f"did you mean {near}?" if near else usage
        return f"{error.option_name}: no such option; {hint}"
    if param:
        name = param.metavar if param.param_type_name == "argument" else param.opts[0]
        if kind == "MissingParameter":
            return f"{ctx.command_path}: {name} is missing; {usage}"
        tried: Any = getattr(error.__cause__, "errors", list)()  # of pydantic, which reads numbers
        expected = "a whole number" if tried and tried[0]["type"][:3] == "int" else "a number"
        text = f"found {tried[0]['input']!r}; expected {expected}" if tried else message
        return f"{name}: {(tried and tried[0].get('ctx', {}).get('error')) or text}"
    if extra := re.search(r"extra arguments?(?:\(s\))? \((.*)\)", message):
        return f"{ctx.command_path}: found too many words ({extra[1]}); {usage}"
    return f"{ctx.command_path}: {message[:1].lower()}{message[1:].rstrip('.')}; {usage}"
