# A loop without an end while loading.
# fault: load
# remedy: endless_load.py line 

turns = 0
while turns >= 0:
    turns += 1


def decide(view):
    return view.legal[0]
