"""Defines no bot.

Must: load
"""


def decides(view):
    return view.legal[0]
