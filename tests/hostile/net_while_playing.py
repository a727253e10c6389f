"""Opens connections during play, to this machine and over its pipe.

Must: play on
"""

import socket


def send_by_pipe():
    adopted = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=4)
    try:
        return adopted.send(b"!")
    finally:
        adopted.detach()


def decide(view):
    for attempt in (lambda: socket.socket().connect(("127.0.0.1", 22)), send_by_pipe):
        try:
            return f"GOT {attempt()}"
        except PermissionError:
            pass
    return view.legal[0]
