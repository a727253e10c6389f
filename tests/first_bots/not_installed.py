# A package that arena's Python does not have.
# fault: load
# remedy: is not installed where arena runs

import tensorflow_of_my_own


def decide(view):
    return view.legal[0]
