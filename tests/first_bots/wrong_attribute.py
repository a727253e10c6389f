# A field that a view does not have.
# fault: error
# remedy: did you mean view.legal?

def decide(view):
    return view.legals[0]
