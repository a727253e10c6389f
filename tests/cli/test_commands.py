"""The table of commands."""

from arena.cli.commands import GROUPS, ORDER, load_commands


def test_the_order_of_the_help_names_commands_of_today_by_groups() -> None:
    commands = load_commands()
    assert [name for name in commands if name in ORDER] == ORDER
    groups = [group for group, _ in commands.values()]
    assert groups == sorted(groups, key=GROUPS.index)
