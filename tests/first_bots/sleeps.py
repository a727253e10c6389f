# It waits.
# fault: time
# remedy: an endless loop or a sleep?

import time


def decide(view):
    time.sleep(60)
    return view.legal[0]
