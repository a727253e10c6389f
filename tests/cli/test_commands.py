"""The table of commands."""

import pytest
import typer

from arena.cli.app import with_json
from arena.cli.commands import GROUPS, ORDER, Answer, load_commands


def test_the_order_of_the_help_names_commands_of_today_by_groups() -> None:
    commands = load_commands()
    assert [name for name in commands if name in ORDER] == ORDER
    groups = [group for group, _ in commands.values()]
    assert groups == sorted(groups, key=GROUPS.index)


@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [([], 3, "for people\n", "a note\n"), (["--json"], 3, '{"n": 1}\n', "a note\n")],
)
def test_an_answer_is_printed_for_people_or_as_json(
    words: list[str], code: int, out: str, err: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def hello_command(name: str) -> Answer:
        """Say hello."""
        assert name == "ann"
        return Answer({"n": 1}, lambda: typer.echo("for people"), 3, ["a note"])

    program = typer.Typer()
    program.command()(with_json(hello_command))
    with pytest.raises(SystemExit) as end:
        program(["ann", *words])
    assert (end.value.code, *capsys.readouterr()) == (code, out, err)
