# A typo in the name of a package.
# fault: load
# remedy: did you mean 'numpy'?

import nunpy as np


def decide(view):
    return view.legal[int(np.argmin([len(each) for each in view.legal]))]
