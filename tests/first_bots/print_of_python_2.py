# print as in Python 2.
# fault: load
# remedy: print(...)

def decide(view):
    print view.legal
    return view.legal[0]
