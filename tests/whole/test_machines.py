"""Machines as they are: each as one runs that many people share."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.leagues import make, pairs

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("machines")]

BOTS = {
    "busy": (
        "import time\nlong = [0.02] * 9\ndef decide(view):\n"
        "    until = time.process_time() + (long.pop() if long else 0)\n"
        "    while time.process_time() < until: pass\n    return view.legal[0]\n"
    ),
    "lazy": "import time\ndef decide(view):\n    time.sleep(9)\n    return view.legal[0]\n",
}


@pytest.mark.parametrize("options", ["hidepid=ptraceable", "subset=pid"])
def test_bots_are_measured_where_proc_shows_no_other_process(tmp_path: Path, options: str) -> None:
    """One is looked at while it computes, one sleeps past its limit; without a right of root's."""
    space = ["unshare", "--map-root-user", "--mount", "--pid", "--fork"]
    mounted = f"mount -t proc -o {options} proc /proc"
    probe = [*space, "sh", "-c", mounted]
    if shutil.which("setpriv") is None or subprocess.run(probe, check=False).returncode:
        pytest.skip("no namespaces to mount /proc in (kernel.unprivileged_userns_clone)")
    drop = 'exec setpriv --bounding-set=-all --inh-caps=-all "$@"'
    before = [*space, "sh", "-c", f"{mounted} && {drop}", "sh", sys.executable, "-m", "arena"]

    def run(*words: object) -> "subprocess.CompletedProcess[str]":
        command = [*before, *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    done = run("tournament", make(tmp_path, pairs(1), BOTS), "--json")
    assert done.returncode == 0, done.stderr
    faults = {bot["bot"]: bot["total"] for bot in json.loads(done.stdout)["faults"]}
    assert faults == {"busy": 0, "lazy": 2}
    assert "sandbox: complete" in run("doctor").stdout
    if options == "hidepid=ptraceable":  # what tells a process's memory is hidden there alone
        assert "MiB of memory" in run("check", "busy", "--seconds", 1).stdout
