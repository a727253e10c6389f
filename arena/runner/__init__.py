"""Plays what is missing of a tournament, by workers of this machine or by another executor.

`tournament` goes from plan to tables, draws the secret and reveals it; `run` plays the stages and
stores what comes back. Sessions are played by an `executor`: `local_executor` has one `worker` a
process. `loads` finds bots that cannot be loaded, `pilot` whether seatings share decks. `dry_run`
forecasts, from `samples`.

Imports plan, session, process, league, store, schedule, tables, system, games and the sandbox's
`walls`. Begin with `tournament`.
"""
