# It leaves.
# fault: error
# remedy: return

import sys


def decide(view):
    if len(view.legal) > 1:
        sys.exit()
    return view.legal[0]
