"""Plays a tournament's missing games, with this machine's workers or another executor.

`tournament` goes from plan to tables and draws the secret, which `season` reveals; `run` plays the
stages and stores what comes back. Sessions are played by an `executor`: `local_executor` has one
`worker` a process, `serial_executor` needs none. `loads` finds bots that cannot be loaded.
`dry_run` estimates what is left.

Imports faults, plan, session, process, league, store, schedule, rating, sequential, tables,
system, games and the sandbox's `walls`. Begin with `tournament`.
"""
