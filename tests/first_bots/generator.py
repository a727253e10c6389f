# yield for return.
# fault: illegal
# remedy: return, not yield

def decide(view):
    yield view.legal[0]
