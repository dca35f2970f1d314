"""Keeps the run off the network: what is not on this machine can't be reached, and the error says so at once."""

from __future__ import annotations

import errno
import functools
import ipaddress
import socket
import urllib.request
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_CLOSED = "http://127.0.0.1:9"
"""Nobody listens there: programs that the script starts fail at once."""
_PROXIES = ("http_proxy", "https_proxy", "ftp_proxy", "all_proxy")
_OFFLINE = {
    "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "WANDB_MODE": "offline",
    "NO_GCE_CHECK": "true", "PIP_RETRIES": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}  # fmt: skip
_ADDRESSED = {"connect": 0, "connect_ex": 0, "sendto": -1}
"""Methods of sockets, and which argument is the address."""
_RESOLVERS = ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr")


def environment() -> dict[str, str]:
    """Variables that keep the programs that a script starts off the network."""
    proxies = {name: _CLOSED for lower in _PROXIES for name in (lower, lower.upper())}
    local = f"localhost,127.0.0.1,::1,{socket.gethostname()}"
    return {**proxies, "no_proxy": local, "NO_PROXY": local, **_OFFLINE}


def close() -> None:
    """Refuse every address that is not on this machine, for the rest of this process and its forks."""
    for name, place in _ADDRESSED.items():
        setattr(socket.socket, name, _guarded(getattr(socket.socket, name), place))
    for name in _RESOLVERS:
        setattr(socket, name, _resolving(getattr(socket, name)))
    # Python's own clients say which host they wanted, rather than that a proxy refused.
    urllib.request.getproxies = dict


def _guarded(original: Callable[..., Any], place: int) -> Callable[..., Any]:
    @functools.wraps(original)
    def method(self: socket.socket, *args: Any) -> Any:
        internet = self.family in (socket.AF_INET, socket.AF_INET6)
        if internet and args and isinstance(args[place], tuple) and not _is_local(args[place][0]):
            raise OSError(errno.ENETUNREACH, _refusal(*args[place][:2]))
        return original(self, *args)

    return method


def _resolving(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def resolve(host: Any, *args: Any, **kwargs: Any) -> Any:
        if not _is_local(host):
            port = kwargs.get("port", args[0] if args else None)
            raise socket.gaierror(socket.EAI_NONAME, _refusal(host, port))
        return original(host, *args, **kwargs)

    return resolve


def _refusal(host: Any, port: Any) -> str:
    name = host.decode("utf-8", "replace") if isinstance(host, bytes) else str(host)
    return f"the proof has no network: {name}{f' port {port}' if port else ''} can't be reached"


def _is_local(host: Any) -> bool:
    name = host.decode("utf-8", "replace") if isinstance(host, (bytes, bytearray)) else host
    if not isinstance(name, str) or name in ("", socket.gethostname()):
        return True  # what is no name at all is for the socket to refuse
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name.lower().rstrip(".") == "localhost"
    return address.is_loopback or address.is_unspecified or _is_own(address)


def _is_own(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is one of this machine's own: only those can be bound."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((str(address), 0))
        return True
    return False
