# A loop without an end.
# fault: time
# remedy: endless.py line

def decide(view):
    turns = 0
    while turns >= 0:
        turns += 1
    return view.legal[0]
