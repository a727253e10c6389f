# A script without a function.
# fault: load
# remedy: put the code into `def decide(view)`

import random

print(random.choice(["take", "pass"]))
