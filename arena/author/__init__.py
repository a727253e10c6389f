"""The author's bench: what went wrong in a bot, and how to find out.

A bot is checked (`check`), its faults are grouped by what caused them (`causes`); it is asked again
in recorded games (`history`, `replayer`) and stopped where it failed (`debugger`). Tests of bots
have views (`view_of`, `recorded`) and `decide`.

May import plan, session, process, league, store, schedule, tables, system, sandbox, records,
rating, audit and export; not runner, nor the command line. Begin with `check`.
"""
