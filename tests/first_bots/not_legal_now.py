# A decision that is not legal here.
# fault: illegal
# remedy: return one of view.legal

def decide(view):
    return "pass"
