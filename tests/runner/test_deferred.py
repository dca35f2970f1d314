"""Dataclasses made while their functions are deferred are dataclasses as Python makes them."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

_CLASSES = """
    import copy, dataclasses, inspect, pickle
    from dataclasses import dataclass, field, replace

    @dataclass
    class Plain:
        x: int
        y: list[int] = field(default_factory=list)

    @dataclass(frozen=True, order=True)
    class Version:
        major: int
        minor: int = 0

        def __post_init__(self):
            if self.major < 0:
                raise ValueError("negative")

    @dataclass(frozen=True, slots=True)
    class Slim(Version):
        patch: int = field(default=0, kw_only=True)

    def told(call):
        try:
            return repr(call())
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def set_major(version):
        version.major = 3

    def answers():
        yield told(lambda: Plain(1))
        yield told(lambda: Plain(1).y is Plain(1).y)
        yield told(lambda: Plain())
        yield told(lambda: Plain(1, [2], 3))
        yield told(lambda: Plain(1) == Plain(1, []) != Plain(2))
        yield told(lambda: hash(Plain(1)))
        yield told(lambda: Version(-1))
        yield told(lambda: sorted([Version(2, 1), Version(1), Version(2)]))
        yield told(lambda: Version(1) < 1)
        yield told(lambda: {Version(1): "one"}[Version(1, 0)])
        yield told(lambda: set_major(Version(1)))
        yield told(lambda: delattr(Version(1), "major"))
        yield told(lambda: Slim(1, 2, patch=3))
        yield told(lambda: Slim(1, 2, 3))
        yield told(lambda: setattr(Slim(1), "major", 2))
        yield told(lambda: Slim(1) == Version(1))
        yield told(lambda: replace(Slim(1), patch=4))
        yield told(lambda: dataclasses.asdict(Slim(1)))
        yield told(lambda: copy.deepcopy(Plain(1, [2])))
        yield told(lambda: pickle.loads(pickle.dumps(Slim(1, patch=2))))
        yield told(lambda: str(inspect.signature(Slim)))
        yield told(lambda: Slim.__init__.__qualname__)
"""


def _output(*programs: str) -> str:
    text = "\n".join(map(dedent, programs))
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=60).stdout


def test_what_a_dataclass_does_is_what_it_does_without() -> None:
    asked = "print(*answers(), sep='\\n')"
    deferred = "from seqlint.runner import deferred\ndeferred.dataclass_functions()"
    assert _output(deferred, _CLASSES, asked) == _output(_CLASSES, asked)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="this Python writes the functions of a class in one go")
def test_no_function_is_compiled_before_it_is_called() -> None:
    counted = """
        from seqlint.runner import deferred
        deferred.dataclass_functions()

        import dataclasses
        compiled = []

        def counting(*given):
            compiled.append(1)
            exec(*given)

        dataclasses.exec = counting
    """
    asked = """
        print(len(compiled))
        Version(1), Version(2), Version(3)
        print(len(compiled))
    """
    assert _output(counted, _CLASSES, asked).split() == ["0", "1"]
