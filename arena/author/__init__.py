"""What a bot's author works with: new bots, checks, causes of faults, replays, a debugger, tests.

`scaffold` writes a first bot or a league, `brief` all that one needs to know of a game. `check`
tests a bot, by what `profiler` measures and `check_results` makes of it, and prints a
`check_report`; `causes` groups faults. `replayer` asks the current code again what its `history`
has, and `debugger` stops where it failed. Tests of bots use `views` and `decide`.

May import plan, session, process, league, store, schedule, tables, system, sandbox, records,
rating, audit and export; not runner, nor the command line. Begin with `check`.
"""
