# A note kept in the view.
# fault: error
# remedy: use your own variables

def decide(view):
    view.seen = True
    return view.legal[0]
