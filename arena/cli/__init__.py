"""The command line: typer, messages for people, exit codes.

Files hold commands by groups: `new` has init, new, rules, brief and schema; `check` also doctor;
`standings` also publish and watch; `faults` also logs; `records` also judge and replay; `audit`
also verify, export and reveal; any other command's file has its name. The others help them: what
several commands are given (`options`), the `terminal`, `progress`, a person's answer in a game
(`choices`), and what is printed by --json (`documents`).

Imports everything; only `arena.__main__` imports it. Begin with `app`.
"""
