"""The author's bench: what went wrong in a bot, and how to find out.

May import plan, session, process, league, store, schedule, tables, system, sandbox, records,
rating, audit and export; not runner, nor the command line. Begin with `causes`.
"""
