# A file of its own beside it.
# fault: load
# remedy: make it a folder: 

import cards_i_wrote


def decide(view):
    return view.legal[cards_i_wrote.FIRST]
