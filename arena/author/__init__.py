"""What a bot's author works with: checks, causes of faults, replays, a debugger, helpers for tests.

`check` tests a bot, and `causes` groups its faults. `history` and `replayer` ask its current code
again in recorded games, and `debugger` stops where it failed. Tests of bots use `view_of`,
`recorded` and `decide`.

May import plan, session, process, league, store, schedule, tables, system, sandbox, records,
rating, audit and export; not runner, nor the command line. Begin with `check`.
"""
