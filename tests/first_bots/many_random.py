# decide_many that draws from random.
# fault: error
# remedy: rngs[i]

import random


def decide_many(views, rngs):
    return [random.choice(view.legal) for view in views]
