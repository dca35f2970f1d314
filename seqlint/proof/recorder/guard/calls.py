"""Has Python's own calls read and write the copies of files, and refuses what can't be turned to one."""

from __future__ import annotations

import builtins
import errno
import functools
import io
import os
import pathlib
import sys
import tarfile
from typing import TYPE_CHECKING, Any

from .copies import path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .copies import Copies

_LINKS_THEMSELVES = frozenset({"lstat", "readlink", "lchmod", "lchown"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_EVENTS = {
    "os.remove": 1, "os.rmdir": 1, "os.mkdir": 1, "os.rename": 2, "os.link": 2, "os.symlink": 2, "os.truncate": 1,
    "os.chmod": 1, "os.chown": 1, "os.utime": 1, "os.setxattr": 1, "os.removexattr": 1,
}  # fmt: skip
"""What Python tells of before it does it, and how many paths come with that."""
_LINKS = frozenset({"os.remove", "os.rmdir", "os.rename", "os.link", "os.symlink", "os.mkdir"})
"""Those that change what has a name, and not what it leads to."""
_STARTS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile"})


def install(copies: Copies, programs: bool) -> None:
    """Patch the calls for the rest of this process.

    Args:
        programs: whether other programs may be started: something else keeps them from the files.
    """
    for how, names in _PATCHES:
        for name in names.split():
            _patch(name, functools.partial(how, copies))
    opened = _opening(copies, io.open)
    builtins.open = io.open = tarfile.bltn_open = opened  # type: ignore[attr-defined]
    _patch_accessor(opened)
    sys.addaudithook(_Hook(copies, programs))


def _patch(name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    original = getattr(os, name, None)
    if original is None:
        return
    made = functools.wraps(original)(make(original))
    setattr(os, name, made)
    for kinds in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
        if original in kinds:
            kinds.add(made)


def _patch_accessor(opened: Callable[..., Any]) -> None:
    """Before Python 3.11, paths keep calls of their own."""
    accessor: Any = getattr(pathlib, "_NormalAccessor", None)
    for name in vars(accessor) if accessor is not None else ():
        if name == "open":
            accessor.open = staticmethod(opened)
        elif callable(getattr(os, name, None)) and not name.startswith("_"):
            setattr(accessor, name, staticmethod(getattr(os, name)))


def _asks(copies: Copies, call: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What is called in the place of a call: it works on the copies, unless the call is our own."""

    def make(how: Callable[..., Any]) -> Callable[..., Any]:
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            with copies.own_calls() as inside:
                return call(*args, **kwargs) if inside or not args else how(*args, **kwargs)

        return stand_in

    return make


def _reading(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    follow = call.__name__ not in _LINKS_THEMSELVES

    @_asks(copies, call)
    def read(path: Any, *args: Any, **kwargs: Any) -> Any:
        found = copies.reads(path, kwargs.get("dir_fd"), follow and kwargs.get("follow_symlinks", True))
        return call(*_at(found, path, kwargs), *args, **kwargs)

    return read


def _changing(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    follow = call.__name__ not in _LINKS_THEMSELVES

    @_asks(copies, call)
    def change(path: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(path, int):
            return call(path, *args, **kwargs)
        folder, links = kwargs.get("dir_fd"), follow and kwargs.get("follow_symlinks", True)
        real = copies.real(path, folder, links)
        known = not real or copies.is_there(real) or os.path.lexists(copies.copy_of(real))
        found = copies.writes(path, folder, follow=links) if known else copies.copy_of(real)
        (place,) = _at(found, path, kwargs)
        if not links or call.__name__ == "truncate" or call not in os.supports_fd or kwargs.get("dir_fd") is not None:
            return call(place, *args, **kwargs)
        kwargs.pop("follow_symlinks", None)
        number = os.open(
            place, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
        )  # a kernel that guards may know no other way
        try:
            return call(number, *args, **kwargs)
        finally:
            os.close(number)

    return change


def _making(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @_asks(copies, call)
    def make(path: Any, *args: Any, **kwargs: Any) -> Any:
        folder = kwargs.get("dir_fd")
        real = copies.real(path, folder, follow=False)
        if real and copies.is_there(real):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        found = copies.writes(path, folder, keep=False, follow=False)
        try:
            return call(*_at(found, path, kwargs), *args, **kwargs)
        except OSError:
            copies.written.pop(real, None)
            raise

    return make


def _removing(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @_asks(copies, call)
    def remove(path: Any, *args: Any, **kwargs: Any) -> Any:
        real, copy = copies.removes(path, kwargs.get("dir_fd"))
        if not real:
            return call(path, *args, **kwargs)
        there, wants_folder = copies.is_there(real), call.__name__ == "rmdir"
        found = copy if os.path.lexists(copy) else real if there else ""
        if not found:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        is_folder = os.path.isdir(found) and not os.path.islink(found)
        if is_folder is not wants_folder:
            number = errno.ENOTDIR if wants_folder else errno.EISDIR
            raise OSError(number, os.strerror(number), path)
        if wants_folder and copies.names(real):
            raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), path)
        if found == copy:
            call(copy)
        copies.remove(real)
        return None

    return remove


def _renaming(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @_asks(copies, call)
    def rename(source: Any, target: Any, **kwargs: Any) -> Any:
        source_folder, target_folder = kwargs.get("src_dir_fd"), kwargs.get("dst_dir_fd")
        real = copies.real(source, source_folder, follow=False)
        other = copies.real(target, target_folder, follow=False)
        if not real and not other:
            return call(source, target, **kwargs)
        if real and not copies.is_there(real) and not os.path.lexists(copies.copy_of(real)):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source, None, target)
        one = copies.writes(source, source_folder, follow=False) or _whole(source, source_folder)
        two = copies.writes(target, target_folder, keep=False, follow=False) or _whole(target, target_folder)
        result = call(one, two)
        if real:
            copies.remove(real)
        return result

    return rename


def _linking(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @_asks(copies, call)
    def link(source: Any, target: Any, **kwargs: Any) -> Any:
        if not copies.real(source, kwargs.get("src_dir_fd")) and not copies.real(target, kwargs.get("dst_dir_fd")):
            return call(source, target, **kwargs)
        raise PermissionError(errno.EPERM, _refusal("gives no second name to a file outside of its folder"), target)

    return link


def _pointing(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @_asks(copies, call)
    def point(source: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
        found = copies.writes(target, kwargs.get("dir_fd"), keep=False, follow=False)
        return call(source, *_at(found, target, kwargs), *args, **kwargs)

    return point


def _listing(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    def listdir(path: Any = None) -> Any:
        with copies.own_calls() as inside:
            names = None if inside else copies.names(path)
            if not names:
                return call(path) if names is None else names
            return [os.fsencode(name) for name in names] if isinstance(path, bytes) else names

    return listdir


class _Entries:
    """What `os.scandir` gives, of more than one folder."""

    def __init__(self, entries: list[Any]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *error: object) -> None: ...

    def close(self) -> None:
        """Nothing is open."""


def _scanning(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    def scandir(path: Any = None) -> Any:
        with copies.own_calls() as inside:
            names = None if inside else copies.names(path)
            if names is None:
                return call(path)
            real = copies.real(path_of(path) if isinstance(path, int) else os.curdir if path is None else path)
            found: dict[str, Any] = {}
            for folder in (real, copies.copy_of(real)):
                if os.path.isdir(folder):
                    with call(folder) as entries:
                        found.update((entry.name, entry) for entry in entries if entry.name in names)
            return _Entries(list(found.values()))

    return scandir


def _opening_number(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @_asks(copies, call)
    def opened(path: Any, flags: int, *args: Any, **kwargs: Any) -> Any:
        folder = kwargs.get("dir_fd")
        if flags & _WRITING:
            found = copies.writes(path, folder, keep=not flags & os.O_TRUNC)
        else:
            found = copies.reads(path, folder)
        return call(*_at(found, path, kwargs), flags, *args, **kwargs)

    return opened


def _opening(copies: Copies, call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def opened(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if copies.busy or not isinstance(mode, str):
            return call(file, mode, *args, **kwargs)
        with copies.own_calls():
            found = _place_of(copies, file, mode)
        opener = kwargs.get("opener")
        if opener is not None or not found:
            return call(file, mode, *args, **kwargs)
        with copies.own_calls():
            return call(found, mode, *args, **kwargs)

    return opened


def _place_of(copies: Copies, file: Any, mode: str) -> str:
    if not set(mode) & set("wax+"):
        return copies.reads(file)
    real = copies.real(file)
    if real and "x" in mode and copies.is_there(real):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), file)
    if real and mode.startswith("r") and not copies.is_there(real) and not os.path.lexists(copies.copy_of(real)):
        return copies.copy_of(real)  # which is not there
    return copies.writes(file, keep=not set(mode) & set("wx"))


def _at(found: str, path: Any, kwargs: dict[str, Any]) -> tuple[Any]:
    """The path for the call; what was found is a whole one, so that no folder counts."""
    if not found:
        return (path,)
    kwargs.pop("dir_fd", None)
    return (os.fsencode(found) if isinstance(path, bytes) else found,)


def _whole(path: Any, folder: int | None) -> str:
    text = os.fsdecode(path)
    return os.path.join(path_of(folder), text) if folder is not None else text


_PATCHES = (
    (_reading, "stat access chdir statvfs getxattr listxattr lstat readlink"),
    (_changing, "truncate chmod chown utime setxattr removexattr lchmod lchown"),
    (_making, "mkdir mkfifo mknod"),
    (_removing, "remove unlink rmdir"),
    (_renaming, "rename replace"),
    (_linking, "link"),
    (_pointing, "symlink"),
    (_listing, "listdir"),
    (_scanning, "scandir"),
    (_opening_number, "open"),
)
"""What is called in the place of the functions of `os`."""


class _Hook:
    """Refuses what reaches Python on ways that are not patched."""

    def __init__(self, copies: Copies, programs: bool) -> None:
        self._copies, self._programs = copies, programs

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if event in _STARTS and not self._programs:
            raise PermissionError(
                errno.EPERM, _refusal("can't keep other programs from them on this system"), str(args[0])
            )
        if self._copies.busy or not args:
            return
        if event == "open":
            path, _, flags = args
            if isinstance(flags, int) and flags & _WRITING:
                self._refuse(path, follow=True)
        elif event in _EVENTS:
            for path in args[: _EVENTS[event]]:
                self._refuse(path, follow=event not in _LINKS)

    def _refuse(self, path: Any, follow: bool) -> None:
        with self._copies.own_calls():
            real = self._copies.real(path, follow=follow)
        if real:
            raise PermissionError(errno.EACCES, _refusal("this call can't be turned to a copy"), real)


def _refusal(why: str) -> str:
    return f"a proof does not write the user's files, and {why}"
