"""Looks for anything of ours in its environment and arguments; must find nothing.

Must: play on
"""

import os
import sys

HARMLESS = {"PYTHONHASHSEED", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LC_ALL"}
got = [name for name in os.environ if name not in HARMLESS]
if sys.argv + sys.orig_argv != [os.path.dirname(__file__)] * 2:
    got.append(str(sys.argv))


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
