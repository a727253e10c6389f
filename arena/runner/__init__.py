"""Plays what is missing of a tournament, by workers of this machine or by another executor.

`tournament` goes from plan to tables, `run` plays the stages. Sessions are played by an `executor`:
`local_executor` has one `worker` a process; `dispatcher` says which session is next, `collector`
stores what comes back. `loads` finds bots that cannot be loaded, `pilot` whether seatings share
decks, `secret` draws and reveals the secret. `dry_run` forecasts, from `samples`.

Imports plan, session, process, league, store, schedule, tables, system, games and the sandbox's
`walls`. Begin with `tournament`.
"""
