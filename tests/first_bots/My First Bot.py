# A name that no bot may have.
# fault: refused
# remedy: such as 'my_first_bot'

def decide(view):
    return view.legal[0]
