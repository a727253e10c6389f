# A string of numpy's.
# fault: none
# remedy: 

import numpy as np


def decide(view):
    return np.array(view.legal)[0]
