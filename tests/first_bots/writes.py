# A log file.
# fault: load
# remedy: print

log = open("/tmp/mybot.log", "w")


def decide(view):
    print(view.legal, file=log)
    return view.legal[0]
