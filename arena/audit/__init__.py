"""Checks results instead of trusting them: verify, rerun, leaks, collusion.

`verify` judges a results folder: games (`game_check`), ratings (`refit`), its tables (`published`,
`differences`) and all other files beside a store (`exported`); `verification` has the results.
`audit` checks whether play was fair: replayed games (`rerun`), views (`leaks`), bots that help
each other (`collusion`).

Imports faults, plan, session, process, league, store, schedule, tables, system, records, rating,
export, games and the sandbox's `walls`; not runner. Begin with `verify`.
"""
