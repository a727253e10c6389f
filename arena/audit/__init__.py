"""Nothing is taken on trust: verify, rerun, leaks, collusion.

Imports plan, session, process, league, store, schedule, tables, system, records, rating, games and
the sandbox's `walls`; not runner. Begin with `verify`.
"""
