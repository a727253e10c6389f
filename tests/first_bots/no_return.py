# A branch without return.
# fault: illegal
# remedy: end every path through decide with return

def decide(view):
    if len(view.legal) > 99:
        return view.legal[0]
