# The number of a decision.
# fault: illegal
# remedy: return the string itself

def decide(view):
    return 0
