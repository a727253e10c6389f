# A decision with a line end.
# fault: illegal
# remedy: strip()

def decide(view):
    return view.legal[0] + "\n"
