"""Runs a command under Docker's seccomp profile, as an ordinary user without capabilities.

    /usr/bin/python3 tests/docker_profile.py default.json /usr/local/bin/arena doctor

The profile is `seccomp/default.json` of moby/profiles. It takes root and Debian's python3-seccomp.
What else a container has hides things, and refuses no call that the walls need.
"""

import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

import seccomp  # type: ignore[import-not-found]

GRANTED = {
    "CAP_AUDIT_WRITE", "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL",
    "CAP_MKNOD", "CAP_NET_BIND_SERVICE", "CAP_NET_RAW", "CAP_SETFCAP", "CAP_SETGID", "CAP_SETPCAP",
    "CAP_SETUID", "CAP_SYS_CHROOT",
}  # fmt: skip
"""What Docker lets a container's root keep: rules are chosen by it."""
ARCHES = {"x86_64": "amd64", "aarch64": "arm64"}


def holds(when: dict[str, Any], every: bool) -> bool:
    """Whether a rule's conditions hold here: `every` one to include it, or any to exclude it."""
    kernel = tuple(map(int, platform.release().split("-")[0].split(".")[:2]))
    met = [
        ARCHES[platform.machine()] in when["arches"] if "arches" in when else every,
        bool(GRANTED & set(when["caps"])) if "caps" in when else every,
        kernel >= tuple(map(int, when["minKernel"].split("."))) if "minKernel" in when else every,
    ]
    return all(met) if every else any(met)


def load(profile: dict[str, Any]) -> int:
    """Load the profile into this process; return how many calls it allows."""
    actions = {"SCMP_ACT_ALLOW": lambda _: seccomp.ALLOW, "SCMP_ACT_ERRNO": seccomp.ERRNO}
    allowed = seccomp.SyscallFilter(actions[profile["defaultAction"]](profile["defaultErrnoRet"]))
    count = 0
    for rule in profile["syscalls"]:
        if holds(rule.get("excludes") or {}, False) or not holds(rule.get("includes") or {}, True):
            continue
        args = [
            seccomp.Arg(arg["index"], seccomp.MASKED_EQ, arg["value"], arg.get("valueTwo", 0))
            if arg["op"] == "SCMP_CMP_MASKED_EQ"
            else seccomp.Arg(arg["index"], getattr(seccomp, arg["op"][9:]), arg["value"])
            for arg in rule.get("args") or []
        ]
        for name in rule["names"]:
            try:
                number = seccomp.resolve_syscall(seccomp.Arch(), name)
            except ValueError:
                number = -1
            if number < 0:
                continue  # of another machine, or newer than this libseccomp
            allowed.add_rule_exactly(actions[rule["action"]](rule.get("errnoRet", 1)), name, *args)
            count += 1
    allowed.load()
    return count


if __name__ == "__main__":
    file, *command = sys.argv[1:]
    profile = json.loads(Path(file).read_text())
    os.setgroups([])
    os.setresgid(1000, 1000, 1000)
    os.setresuid(1000, 1000, 1000)  # from root: all capabilities are gone
    sys.stderr.write(f"{load(profile)} calls are allowed or answered by the profile\n")
    os.execvp(command[0], command)
