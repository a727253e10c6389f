"""Raises SystemExit while it loads, with work to do at exit that never ends.

Must: load
"""

import atexit
import sys
import time

atexit.register(time.sleep, 3600)
sys.exit("no bot today")
