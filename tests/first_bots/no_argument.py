# decide without the view.
# fault: error
# remedy: def decide(view)

def decide():
    return "pass"
