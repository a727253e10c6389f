"""The command line: typer, messages for people, exit codes.

Files hold commands by groups: `new` has init, new, rules and brief; `check` also doctor;
`standings` also publish; `faults` also logs; `records` also judge and replay; `audit` also verify,
export and reveal; any other command's file has its name. The others help them: output and shared
options (`terminal`), progress (`progress` and its `tally`), tables drawn and stepped through
(`drawing`, `replay_tui`), recorded games shown to a bot again (`replayed_view`), and the types
behind --json that are in no other wing (`documents`).

Imports everything; only `arena.__main__` imports it. Begin with `app`.
"""
