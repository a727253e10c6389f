"""Raises while it loads, an error that cannot even be shown.

Must: load
"""


class Unspeakable(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__


raise Unspeakable from Unspeakable()
