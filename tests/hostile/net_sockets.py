"""Makes a socket of every kind: TCP, UDP, unix, raw, netlink.

Must: play on
"""

import socket

got = ""
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, socket.AF_PACKET):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try:
            got = str(socket.socket(family, kind))
        except PermissionError:
            pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
