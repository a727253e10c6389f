"""Checks results instead of trusting them: verify, rerun, leaks, collusion.

`verify` judges a results folder: games (`game_check`), ratings (`refit`) and files (`published`,
`differences`).
`audit` checks whether play was fair: replayed games (`rerun`), views (`leaks`), bots that help
each other (`collusion`).

Imports faults, plan, session, process, league, store, schedule, tables, system, records, rating,
games and the sandbox's `walls`; not runner. Begin with `verify`.
"""
