"""Leaves while it loads.

Must: load
"""

import os

os._exit(0)
