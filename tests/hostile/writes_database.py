"""Keeps what it learns in a database on disk; must be refused.

Must: play on
"""

import sqlite3

got = ""
try:
    sqlite3.connect(__file__ + ".db").execute("CREATE TABLE learnt (it)")
    got = "a table"
except sqlite3.OperationalError:
    pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
