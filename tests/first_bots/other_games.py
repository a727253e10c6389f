# A field of one game asked of all.
# fault: error
# remedy: only views of no_thanks

def decide(view):
    return "take" if view.card < 10 else view.legal[0]
