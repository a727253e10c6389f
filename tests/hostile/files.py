"""Files that are not the bot's, to read and to write, and connections."""

import ctypes
import os
import socket

import arena

libc = ctypes.CDLL(None, use_errno=True)
OWN = os.path.dirname(__file__)
#< attempts.py

#: files_after_loading (play on) Opens and lists, once it plays, what it might read while it loaded.
in_play = (
    lambda: open(__file__),
    lambda: open("/dev/null"),
    lambda: open("/dev/urandom", "rb"),
    lambda: os.listdir(OWN),
    lambda: list(os.scandir(OWN)),
)

#: files_by_handle (forbidden) Turns a file into a handle and opens that, past every path.
def decide(view):
    libc.open_by_handle_at(-100, bytes(128), 0)
    return view.legal[0]

#: files_by_place (play on) Opens files by O_PATH, which file permissions do not cover.
for path in ("/", "/etc/passwd", "/proc/self", OWN):
    attempt(lambda: os.open(path, os.O_PATH))

#: files_devices (play on) Opens devices; must be refused, but for /dev/null and /dev/urandom.
refusals = (PermissionError, FileNotFoundError)
for name in ("zero", "full", "random", "tty", "ptmx"):
    attempt(lambda: os.open(f"/dev/{name}", os.O_RDONLY))

#: files_home (play on) Lists the homes of users, temporary files and the root of all files.
for folder in ("/", "/home", "/root", "/tmp", "/etc", "/var", "/dev", "/proc", "/sys"):
    attempt(lambda: os.listdir(folder))

#: files_kept_folder (play on) Keeps its folder open from loading, and looks through it in play.
folder = os.open(OWN, os.O_RDONLY | os.O_DIRECTORY)
in_play = (
    lambda: os.open("bot.py", os.O_RDONLY, dir_fd=folder),
    lambda: os.listdir(folder),
    lambda: os.stat("bot.py", dir_fd=folder),
    lambda: os.fstatvfs(folder),
    lambda: os.fchdir(folder),
)

#: files_league (play on) Looks for the league's bots, configs and results next to Arena's code.
ROOT = os.path.dirname(os.path.dirname(arena.__file__))
for name in ("", "bots", "tests", "tournaments", "arena", "arena/store"):
    attempt(lambda: os.listdir(os.path.join(ROOT, name)))
for name in ("pyproject.toml", "arena/ids.py", "arena/sandbox/../../tests/sessions.py"):
    attempt(lambda: open(os.path.join(ROOT, name)).read())

#: files_metadata (play on) Looks at sizes and times of files once it plays.
def exists(path):
    if not os.access(path, os.F_OK) and not os.path.exists(path):
        raise PermissionError

in_play = (
    lambda: os.stat("/"),
    lambda: os.stat(__file__),
    lambda: os.lstat(f"/proc/{os.getppid()}"),
    lambda: os.stat(os.path.dirname(OWN)),
    lambda: exists("/etc/passwd"),
    lambda: os.readlink("/proc/self/exe"),
    lambda: os.getcwd(),
    lambda: os.statvfs("/"),
)

#: files_openat2 (play on) Opens its own file by the newer system call that no rule looks into.
how = (ctypes.c_uint64 * 3)(os.O_RDONLY, 0, 0)
opened = libc.syscall(437, -100, __file__.encode(), how, 24)  # the number on every machine
if opened >= 0:
    got.append(opened)

#: files_other_bots (play on) Lists the folder of all snapshots, to read the other bots.
attempt(lambda: os.listdir(os.path.dirname(OWN)))

#: files_passwd (play on) Reads the machine's list of users while it loads.
attempt(lambda: open("/etc/passwd").readline())

#: files_proc_parent (play on) Reads memory, environment and arguments of its parent, the zygote.
refusals = (PermissionError, FileNotFoundError)
for name in ("mem", "maps", "environ", "cmdline", "status", "stat", "fd", "task", "root", "cwd",
             "fd/0", "fd/3"):
    attempt(lambda: os.open(f"/proc/{os.getppid()}/{name}", os.O_RDONLY))

#: files_proc_self (play on) Reads its own memory map, memory and limits, and lists descriptors.
for name in ("mem", "maps", "environ", "cmdline", "limits", "fd", "pagemap", "../1/fd"):
    attempt(lambda: os.open(f"/proc/self/{name}", os.O_RDONLY))

#: files_way_up (play on) Opens the folder above its own as a descriptor, and goes on from there.
here = os.open(OWN, os.O_RDONLY | os.O_DIRECTORY)
for way in ("..", "../..", "../../../../../../../../.."):
    attempt(lambda: os.open(way, os.O_RDONLY | os.O_DIRECTORY, dir_fd=here))

#: net_abstract (play on) Listens on a unix socket without a file, for a partner to find.
attempt(
    lambda: socket.socket(socket.AF_UNIX).bind("\0two bots of one kind"),
    lambda: socket.socketpair(),
)

#: net_names (play on) Asks for the address of a name, which would tell its server something.
refusals = OSError
attempt(lambda: socket.getaddrinfo("my-cards-are-bad.example.org", 80))

#: net_sockets (play on) Makes a socket of every kind: TCP, UDP, unix, raw, netlink.
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK,
               socket.AF_PACKET):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        attempt(lambda: socket.socket(family, kind))

#: net_while_playing (play on) Opens connections during play, to this machine and over its pipe.
def send_by_pipe():
    adopted = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=4)
    try:
        return adopted.send(b"!")
    finally:
        adopted.detach()

in_play = (lambda: socket.socket().connect(("127.0.0.1", 22)), send_by_pipe)

#: writes_far (play on) Writes far behind the end of the file that keeps its prints.
def decide(view):
    for far in (1 << 20, 1 << 40, (1 << 63) - 9):
        os.lseek(1, far, os.SEEK_SET)
        try:
            return f"GOT {os.write(1, b'!')}"
        except OSError:
            pass
    os.lseek(1, 0, os.SEEK_SET)
    return view.legal[0]

#: writes_files (play on) Makes files next to its own and where all users may.
refusals = (PermissionError, FileNotFoundError)
for path in (OWN + "/made", "/tmp/made-by-a-bot", "/dev/shm/made-by-a-bot"):
    for mode in ("w", "a", "x"):
        attempt(lambda: open(path, mode).write("!"))

#: writes_metadata (play on) Changes modes, times, owners and attributes of its own source.
kept = os.open(__file__, os.O_RDONLY)
attempt(
    lambda: os.chmod(__file__, 0o777),
    lambda: os.fchmod(kept, 0o777),
    lambda: os.utime(__file__, (1, 1)),
    lambda: os.utime(kept, (1, 1)),
    lambda: os.chown(__file__, -1, -1),
    lambda: os.setxattr(__file__, "user.note", b"hello"),
    lambda: os.getxattr(__file__, "user.note"),
    lambda: os.truncate(__file__, 0),
    lambda: os.ftruncate(1, 0),
)

#: writes_names (play on) Makes folders, links and pipes, renames and removes.
new = os.path.join(OWN, "new")
attempt(
    lambda: os.mkdir(new),
    lambda: os.link(__file__, new),
    lambda: os.symlink("/", new),
    lambda: os.mkfifo(new),
    lambda: os.mknod(new),
    lambda: os.rename(__file__, new),
    lambda: os.unlink(__file__),
    lambda: os.rmdir(OWN),
    lambda: os.chdir("/tmp"),
    lambda: os.chroot("/"),
)

#: writes_over_itself (play on) Opens its own source to write, to append and to empty it.
for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND, os.O_RDONLY | os.O_TRUNC):
    attempt(lambda: os.open(__file__, flags))
