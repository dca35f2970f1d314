"""An overlay over all files, for one process and its children: what they write goes to a folder of the run, and the files stay as they are.

It takes namespaces of Linux, which containers often forbid: then `enter` raises, and other guards must do.
"""

from __future__ import annotations

import ctypes
import os
import re
import stat
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .kernel import asked, libc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_NEW_MOUNTS, _NEW_USER = 0x20000, 0x10000000
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_MOUNT_SETATTR, _AT_RECURSIVE, _READ_ONLY = 442, 0x8000, 1
_MACHINE = ("/dev", "/proc", "/sys")
"""Folders that show the machine. Who is not root can not use devices of a new file system."""
_SHARED_MEMORY = "/dev/shm"
_OCTAL = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True)
class Overlay:
    """What a process writes.

    Attributes:
        layers: for each folder that is laid over, its path, and the folder that holds what was written there.
        below: the root folder as all others see it, as a file descriptor.
    """

    layers: tuple[tuple[str, str], ...]
    below: int

    def changed(self) -> Iterator[tuple[str, str]]:
        """Each file and folder that was written, and where its content is now; empty for what was removed."""
        for mount, layer in self.layers:
            for folder, folders, files in os.walk(layer):
                for name in (*folders, *files):
                    path = os.path.join(folder, name)
                    shown = os.path.normpath(os.path.join(mount, os.path.relpath(path, layer)))
                    if _is_whiteout(path):
                        yield shown, ""
                    elif not os.path.isdir(path) or os.path.islink(path) or not os.path.lexists(self.original(shown)):
                        yield shown, path

    def original(self, path: str) -> str:
        """The path by which a file is found as all others see it."""
        return f"/proc/self/fd/{self.below}{path}"


@cache
def works() -> bool:
    """Whether the system allows an overlay. A process of its own tries it, since who fails half-way does not get back."""
    if sys.platform != "linux":
        return False
    with tempfile.TemporaryDirectory(prefix="seqlint-", ignore_cleanup_errors=True) as place:
        child = os.fork()
        if not child:
            status = 1
            with suppress(BaseException):
                enter(place, os.path.join(place, "upper"))
                status = 0
            os._exit(status)
        return os.waitpid(child, 0)[1] == 0


def enter(place: str, upper: str, likely: Iterable[str] = ()) -> Overlay:
    """Put this process, which must have one thread, under an overlay.

    Args:
        place: a folder that is written as it is.
        upper: a new folder in it, for what is written elsewhere.
        likely: folders that a program may write to. Who is not root can't write to a folder below one of another user otherwise.

    Raises:
        OSError: the system does not allow it; the process may have namespaces of its own then, and sees the same files.
    """
    for_user = _unshare()
    _mount("none", "/", "", _RECURSIVE | _PRIVATE)
    os.mkdir(upper)
    held, below, here = os.open(place, os.O_PATH), os.open("/", os.O_PATH), os.getcwd()
    layers = _Layers(
        upper, "userxattr" if for_user else "", [os.path.realpath(path) for path in likely] if for_user else []
    )
    layers.show("/")
    _mount(f"/proc/self/fd/{held}", layers.root + place, "", _BIND | _RECURSIVE)
    os.close(held)
    os.chroot(layers.root)
    os.chdir(here)
    return Overlay(tuple(layers.laid), below)


class _Layers:
    """A root folder under construction.

    Attributes:
        root: where it is.
        laid: for each folder that is laid over, its path, and the folder that holds what is written there.
    """

    def __init__(self, upper: str, options: str, likely: Sequence[str]) -> None:
        self.root = os.path.join(upper, "root")
        os.mkdir(self.root)
        self.laid: list[tuple[str, str]] = []
        self._upper, self._options, self._likely = upper, options, likely
        # By number: once a folder is laid over, its path leads to what is new.
        self._store = f"/proc/self/fd/{os.open(upper, os.O_PATH)}"
        self._mounts = _mounts()
        self._tried = 0

    def show(self, path: str) -> None:
        """Show a folder of the machine: as it is, or with a layer over it."""
        if path in _MACHINE:
            _mount(path, self.root + path, "", _BIND | _RECURSIVE)
            if path == os.path.dirname(_SHARED_MEMORY) and _SHARED_MEMORY in self._mounts:
                self._lay(_SHARED_MEMORY)
        elif not self._mounts.get(path, True) or not os.path.isdir(path):
            self._as_it_is(path)
        elif self._lay(path):
            for mount in self._next(path):
                self.show(mount)
        elif any(self._next(path)):
            self._entries(path)
        else:
            self._as_it_is(path)

    def _lay(self, path: str) -> bool:
        """Lay a folder over another; False where it can't be, as with mounts of the machine below it for who is not root."""
        self._tried += 1
        name = str(self._tried)
        layer = f"{self._store}/{name}"
        for part in ("", "/up", "/work"):
            os.mkdir(layer + part)
        for wanted in self._likely:
            if wanted != path and _inside(wanted, path):
                _prepare(path, wanted, f"{layer}/up")
        options = f"lowerdir={_escaped(path)},upperdir={layer}/up,workdir={layer}/work,{self._options}"
        try:
            _mount("overlay", self.root + path, "overlay", 0, options.rstrip(","))
        except OSError:
            return False
        self.laid.append((path, os.path.join(self._upper, name, "up")))
        return True

    def _next(self, path: str) -> Iterator[str]:
        """The outermost mounts in a folder."""
        found: list[str] = []
        for mount in self._mounts:
            if mount != path and _inside(mount, path) and not any(_inside(mount, one) for one in found):
                found.append(mount)
                yield mount

    def _entries(self, path: str) -> None:
        """Show what is in a folder, one by one."""
        with os.scandir(path) as entries:
            for entry in entries:
                target = self.root + entry.path
                if entry.is_symlink():
                    os.symlink(os.readlink(entry.path), target)
                    continue
                if entry.is_dir():
                    os.mkdir(target)
                else:
                    open(target, "xb").close()
                self.show(entry.path)

    def _as_it_is(self, path: str) -> None:
        """Show a file or folder that can't be written."""
        _mount(path, self.root + path, "", _BIND | _RECURSIVE)
        attributes = (ctypes.c_uint64 * 4)(_READ_ONLY)
        where = os.fsencode(self.root + path)
        asked(libc().syscall(_MOUNT_SETATTR, -100, where, _AT_RECURSIVE, attributes, 32), f"read-only {path}")


def _unshare() -> bool:
    """Leave the mounts of all others; whether that took a user namespace, as it does for all but root."""
    unshare = libc().unshare
    user, group = os.geteuid(), os.getegid()
    with suppress(OSError):
        asked(unshare(_NEW_MOUNTS), "unshare")
        return False
    asked(unshare(_NEW_MOUNTS | _NEW_USER), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    return True


def _mounts() -> Mapping[str, bool]:
    """What is mounted, outermost first, and whether it can be written; of several in one place the last counts."""
    found: dict[str, bool] = {}
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            place, options = line.split(" ")[4:6]
            found[_OCTAL.sub(lambda code: chr(int(code[1], 8)), place)] = "rw" in options.split(",")
    return dict(sorted(found.items(), key=lambda one: len(one[0])))


def _prepare(path: str, wanted: str, layer: str) -> None:
    """Have the folders that lead to a wanted one in a layer already: the kernel would copy them, with an owner that this user can't give."""
    for part in os.path.relpath(wanted, path).split(os.sep):
        path, layer = os.path.join(path, part), os.path.join(layer, part)
        if not os.path.isdir(path):
            return
        with suppress(FileExistsError):
            os.mkdir(layer)
        os.chmod(layer, os.stat(path).st_mode & (0o777 if os.access(path, os.W_OK) else 0o555))


def _escaped(path: str) -> str:
    return re.sub(r"([\\:,])", r"\\\1", path)


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    encoded = [os.fsencode(text) if text else None for text in (source, target, kind)]
    result = libc().mount(*encoded, ctypes.c_ulong(flags), os.fsencode(data) if data else None)
    asked(result, f"mount {target}")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _is_whiteout(path: str) -> bool:
    found = os.lstat(path)
    return stat.S_ISCHR(found.st_mode) and found.st_rdev == 0
