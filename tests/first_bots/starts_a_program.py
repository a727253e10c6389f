# A program started.
# fault: error
# remedy: cannot start programs

import subprocess


def decide(view):
    return subprocess.run(["echo", view.legal[0]], capture_output=True, text=True).stdout.strip()
