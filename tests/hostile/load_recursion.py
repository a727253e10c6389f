"""Is nested deeper than the compiler can go, as text made while it loads.

Must: load
"""

eval("-" * 1_000_000 + "1")


def decide(view):
    return view.legal[0]
