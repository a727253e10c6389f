# A typo in an import.
# fault: load
# remedy: did you mean 'random'?

import randon


def decide(view):
    return randon.choice(view.legal)
