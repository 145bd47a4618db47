"""Attacks over sockets."""

from __future__ import annotations

import socket
from collections.abc import Callable

from .registry import Attack, Targets, UnavailableError, add, attack

_ANSWER_S = 0.05
_AF_XDP = 44
_FAMILIES = {
    "netlink": (socket.AF_NETLINK, socket.SOCK_RAW, 0, False),
    "vsock": (socket.AF_VSOCK, socket.SOCK_STREAM, 0, False),
    "packet": (socket.AF_PACKET, socket.SOCK_RAW, 0, True),
    "raw": (socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP, True),
    "xdp": (_AF_XDP, socket.SOCK_RAW, 0, True),
    "alg": (socket.AF_ALG, socket.SOCK_SEQPACKET, 0, False),
}


def _opening(family: int, kind: int, protocol: int) -> Callable[[Targets], str]:
    def attempt(_targets: Targets) -> str:
        with socket.socket(family, kind, protocol):
            return "a socket"

    return attempt


for _name, (_family, _kind, _protocol, _root) in _FAMILIES.items():
    add(Attack(f"socket-{_name}", "net", _opening(_family, _kind, _protocol), _root, alone=False))


def _connected(address: object, family: int, kind: int) -> str:
    with socket.socket(family, kind) as line:
        line.settimeout(1)
        line.connect(address)  # type: ignore[arg-type]
        return "connected"


@attack("tcp-loopback", "net")
def _tcp(targets: Targets) -> str:
    port = targets.number("tcp-port")
    return _connected(("127.0.0.1", port), socket.AF_INET, socket.SOCK_STREAM)


@attack("tcp-loopback-6", "net")
def _tcp_6(targets: Targets) -> str:
    port = targets.number("tcp-port-6")
    return _connected(("::1", port), socket.AF_INET6, socket.SOCK_STREAM)


@attack("udp-loopback", "net")
def _udp(targets: Targets) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(_ANSWER_S)
        line.connect(("127.0.0.1", targets.number("udp-port")))
        line.send(b"hello")
        try:
            # Where nobody listens the kernel has refused by now.
            line.recv(1)
        except TimeoutError:
            return "sent"
        return "sent and answered"


@attack("unix-abstract", "net")
def _unix_abstract(targets: Targets) -> str:
    name = "\0" + targets.text("abstract-socket")
    return _connected(name, socket.AF_UNIX, socket.SOCK_STREAM)


@attack("unix-pathname", "net")
def _unix_pathname(targets: Targets) -> str:
    return _connected(targets.text("unix-socket"), socket.AF_UNIX, socket.SOCK_STREAM)


@attack("unix-datagram", "net")
def _unix_datagram(targets: Targets) -> str:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(b"hello", targets.text("unix-datagram"))
        return "sent"


@attack("unix-from-pair", "net")
def _unix_from_pair(targets: Targets) -> str:
    # Programs need pairs, and one of datagrams can send to others than its own other end.
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        one.sendto(b"hello", targets.text("unix-datagram"))
        return "sent"


@attack("host-name", "uts")
def _host_name(targets: Targets) -> str:
    expected = targets.text("host-name")
    if expected == "bot":
        raise UnavailableError("the host is called as the sandbox would be")
    if socket.gethostname() != expected:
        raise OSError(2, "another name")
    return expected
