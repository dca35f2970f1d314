"""What holds for all tests."""

from __future__ import annotations

import os
import signal
import tempfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof import Workers

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would all that they start: some tests send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What a user trusts, and the results of earlier runs, lie in folders of the user: here, and in all that the tests start, in another.
_USER = tempfile.TemporaryDirectory(prefix="seqlint-tests-")
os.environ["SEQLINT_CONFIG_DIR"] = os.path.join(_USER.name, "config")
os.environ["SEQLINT_CACHE_DIR"] = os.path.join(_USER.name, "cache")
os.environ.pop("SEQLINT_TRUST_RULES", None)

# What oneDNN sets up in each process is a third of the processor time that a small program on Keras 3 takes.
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

# How long a drawn example takes says how busy the machine is.
settings.register_profile("seqlint", deadline=None, database=None)
settings.load_profile("seqlint")


def pytest_collection_finish() -> None:
    """Look for garbage as seldom as the command does: it is a tenth of what the tests of rules take."""
    from seqlint.runner import garbage

    garbage.seldom()


@pytest.fixture(scope="session")
def lent() -> Iterator[Workers]:
    """Workers for all tests: each kind of runs imports TensorFlow once, when the first of them comes."""
    from seqlint.proof import workers

    with workers() as found:
        yield found
