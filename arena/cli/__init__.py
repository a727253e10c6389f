"""The command line: typer, words for people, exit codes.

Commands lie in files by groups: `new` has init, new, rules and brief; `check` also doctor;
`standings` also publish; `faults` also logs; `records` also judge and replay; `audit` also verify,
export and reveal; every other command that has a file of its own is named like it. Beside them:
what all print with (`terminal`, `progress` and its `tally`), how tables are drawn and walked
through (`drawing`, `replay_tui`), recorded games shown to a bot again (`replayed_view`), and what
--json prints where no other wing has its type (`documents`).

Imports everything; only `arena.__main__` imports it. Begin with `app`.
"""
