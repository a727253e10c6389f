# A function of a wrong name.
# fault: load
# remedy: rename decied to decide

def decied(view):
    return view.legal[0]
