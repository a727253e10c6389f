"""Runs programs: by subprocess, exec, spawn and the shell.

Must: play on
"""

import os
import subprocess
import sys

got = ""
for name, attempt in {
    "run": lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
    "shell": lambda: subprocess.check_output("true", shell=True),
    "exec": lambda: os.execv(sys.executable, ["python", "-c", "pass"]),
    "spawn": lambda: os.posix_spawn(sys.executable, ["python"], {}),
}.items():
    try:
        attempt()
        got = name
    except PermissionError:
        pass
if os.system("true") == 0:
    got = "system"


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
