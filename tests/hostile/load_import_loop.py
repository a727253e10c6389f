"""Imports a module of its own that imports it back, for ever, from files that there are not.

Must: load
"""

import sys


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        __import__(name + "x")


sys.meta_path.insert(0, Finder)
import another


def decide(view):
    return view.legal[0]
