# A thread.
# fault: error
# remedy: a bot has one thread

import threading


def decide(view):
    thread = threading.Thread(target=print)
    thread.start()
    return view.legal[0]
