# All decisions at once.
# fault: illegal
# remedy: return one of them

def decide(view):
    return view.legal
