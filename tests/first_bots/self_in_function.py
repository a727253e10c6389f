# decide with self, but in no class.
# fault: error
# remedy: def decide(view)

def decide(self, view):
    return view.legal[0]
