"""Is not Python.

Must: load
"""

def decide(view:
    return view.legal[0]
