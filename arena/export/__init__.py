"""Exports a tournament for others and their tools.

`files` writes tables, records and a public store; `backup` a whole copy of the results for their
owner.

Imports tables, store, schedule and system. Begin with `files`.
"""
