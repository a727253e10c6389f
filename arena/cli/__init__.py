"""The command line: typer, messages for people, exit codes.

A command is a function under `@command` (`commands`): to add one, write its file and nothing else,
but the type of what it prints by --json (`documents`). Files of commands lie beside what helps
them: what several commands are given (`options`), the `terminal`, `progress`, a person's answer in
a game (`choices`).

Imports everything; only `arena.__main__` imports it. Begin with `app`.
"""
