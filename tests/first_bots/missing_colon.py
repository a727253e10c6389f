# A colon is missing.
# fault: load
# remedy: missing_colon.py line 6

def decide(view):
    if view.legal
        return view.legal[0]
    return view.legal[-1]
