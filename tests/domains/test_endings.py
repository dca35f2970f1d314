"""How paths end, in many spellings."""

from __future__ import annotations

import pytest

from seqlint.domains.paths.endings import Endings
from tests.run.programs import ran

KNOWN = (
    '"runs/best.h5"',
    '"runs/" + "best.h5"',
    'name + "best.h5"',
    'f"{name}/best.h5"',
    'f"best{count:02d}.h5"',
    '"%s/best.h5" % name',
    '"best-%03d.h5" % count',
    '"{}-{}.h5".format(name, count)',
    '"{}/{}".format(name, "best.h5")',
    'os.path.join(name, "runs", "best.h5")',
    'os.path.abspath(os.path.join("..", "best.h5"))',
    'Path(name) / "best.h5"',
    'str(Path("runs") / "best.h5")',
    'Path("runs").joinpath("best.h5").resolve()',
    'Path(name).with_suffix(".h5")',
    '"/".join((name, "best.h5"))',
    'ENDS["light"]',
    'time.strftime("%Y%m%d") + ".h5"',
    'datetime.datetime.now().strftime("%H%M-best.h5")',
    'place("best")',
)
SETUP = """
import datetime
import os
import time
from pathlib import Path

ENDS = dict(light="out/best.h5")


def place(stem, kind="h5"):
    return os.path.join("out", stem + "." + kind)


def run(name, count):
    print({0})
"""


def ends(text: str, *suffixes: str) -> bool:
    """Whether what a program prints may end in a suffix."""
    run = ran(SETUP.replace("{0}", text))
    (call,) = run.called("builtins.print")
    endings = run.domain(Endings).each(call.result.args[0])
    return any(ending.may_end_in(*suffixes) for ending in endings)


@pytest.mark.parametrize("text", KNOWN)
def test_the_end_of_a_path_is_known(text: str) -> None:
    assert ends(text, ".h5")
    assert not ends(text, ".keras")


@pytest.mark.parametrize(
    "text", ["name", "os.path.join('out', name)", "f'{name}'", "'a-' + str(name)", "Path(name)", "'h5'.join(name)"]
)
def test_what_comes_from_outside_may_end_in_anything(text: str) -> None:
    assert ends(text, ".h5")
    assert ends(text, ".keras")


@pytest.mark.parametrize(
    "text", ["'run-%d' % count", "f'run-{count:d}'", "'run-' + str(time.time())", "'run-' + time.strftime('%Y')"]
)
def test_a_number_is_no_suffix(text: str) -> None:
    assert not ends(text, ".h5", ".keras")


def test_a_suffix_that_is_added_is_the_whole_of_it() -> None:
    assert not ends("name + '.h5'", ".weights.h5")
    assert ends("name + 'h5'", ".weights.h5")
    assert not ends("'best-%d.h5' % count", ".weights.h5")
