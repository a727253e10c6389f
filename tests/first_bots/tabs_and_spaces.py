# Tabs and spaces mixed.
# fault: load
# remedy: indent with spaces only

def decide(view):
    if view.legal:
	return view.legal[0]
    return "pass"
