# A thread.
# fault: error
# remedy: a bot cannot start threads

import threading


def decide(view):
    thread = threading.Thread(target=print)
    thread.start()
    return view.legal[0]
