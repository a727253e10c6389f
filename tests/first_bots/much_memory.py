# More memory than there is.
# fault: memory
# remedy: memory_mib

def decide(view):
    table = [0] * 10**9
    return view.legal[table[0]]
