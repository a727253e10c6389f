# The view read as a dict.
# fault: error
# remedy: view.legal, not view['legal']

def decide(view):
    return view["legal"][0]
