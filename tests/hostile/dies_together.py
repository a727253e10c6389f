"""Dies when it is asked about two games at once, never about one: too often for a session.

Must: strikes
"""

import os


def decide_many(views, rngs):
    if len(views) > 1:
        os._exit(1)
    return [view.legal[0] for view in views]
