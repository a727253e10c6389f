# A note kept in the view.
# fault: error
# remedy: variables of your own

def decide(view):
    view.seen = True
    return view.legal[0]
