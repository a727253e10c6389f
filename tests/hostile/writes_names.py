"""Makes folders, links and pipes, renames and removes.

Must: play on
"""

import os

got = ""
new = os.path.join(os.path.dirname(__file__), "new")
for name, attempt in {
    "mkdir": lambda: os.mkdir(new),
    "link": lambda: os.link(__file__, new),
    "symlink": lambda: os.symlink("/", new),
    "mkfifo": lambda: os.mkfifo(new),
    "mknod": lambda: os.mknod(new),
    "rename": lambda: os.rename(__file__, new),
    "unlink": lambda: os.unlink(__file__),
    "rmdir": lambda: os.rmdir(os.path.dirname(__file__)),
    "chdir": lambda: os.chdir("/tmp"),
    "chroot": lambda: os.chroot("/"),
}.items():
    try:
        attempt()
        got = name
    except PermissionError:
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
