# The tuple of decisions changed.
# fault: error
# remedy: list(view.legal)

def decide(view):
    view.legal.reverse()
    return view.legal[0]
