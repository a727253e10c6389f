"""Tools for authors of bots: new bots, checks, replays, tests.

`scaffold` writes a first bot or a league, `brief` a page with all that an author needs. `check`
tests a bot: `profiler` measures it, `check_results` evaluates, `check_report` prints. `archive`
reads recorded games, and `replayer` asks the current code their questions. Tests of bots use
`views` and `decide`, which `pytest_plugin` offers as fixtures, `game_tests` for recorded games, and
`in_process` for whole games; `players` runs their bots.

Imports faults, plan, session, process, league, store, schedule, tables, rating, system, sandbox,
records, audit and games; not runner, nor the command line. Begin with `check`.
"""
