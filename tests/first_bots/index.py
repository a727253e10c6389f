# The number of a decision.
# fault: illegal
# remedy: return the word itself

def decide(view):
    return 0
