# It calls itself for ever.
# fault: error
# remedy: calls itself

def look(view, depth):
    return look(view, depth + 1)


def decide(view):
    return look(view, 0)
