# A program started.
# fault: error
# remedy: no program

import subprocess


def decide(view):
    return subprocess.run(["echo", view.legal[0]], capture_output=True, text=True).stdout.strip()
