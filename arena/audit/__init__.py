"""Nothing is taken on trust: verify, rerun, leaks, collusion.

Imports what runner does, records and rating; not runner itself. Begin with `verify`.
"""
