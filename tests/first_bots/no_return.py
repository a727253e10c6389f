# A branch without return.
# fault: illegal
# remedy: every way through decide ends with return

def decide(view):
    if len(view.legal) > 99:
        return view.legal[0]
