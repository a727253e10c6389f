# A decision in capitals.
# fault: illegal
# remedy: did you mean

def decide(view):
    return view.legal[0].upper() if view.legal[0].islower() else view.legal[0].lower()
