"""Reads the machine's list of users while it loads.

Must: play on
"""

got = ""
try:
    with open("/etc/passwd") as file:
        got = file.readline()
except PermissionError:
    pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
