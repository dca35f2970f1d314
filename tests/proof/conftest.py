"""One import of TensorFlow for each line of Keras serves all tests."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import KERAS_CHOICES, Settings, missing, worker
from tests.proof import made_up_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from seqlint.proof import KerasChoice, Worker


@pytest.fixture(scope="session")
def child() -> Iterator[Worker]:
    with worker(Settings(limit_s=60)) as found:
        yield found


@pytest.fixture(scope="session")
def mirrored() -> Iterator[dict[KerasChoice, Worker]]:
    """For each Keras, a child with two logical processors."""
    with ExitStack() as stack:
        yield {
            keras: stack.enter_context(worker(Settings(keras=keras, replicas=2, limit_s=60))) for keras in KERAS_CHOICES
        }


@pytest.fixture(scope="session")
def legacy() -> Iterator[Worker]:
    settings = Settings(keras="legacy", limit_s=60)
    if missing(settings):
        pytest.skip("tf-keras is not installed")
    with worker(settings) as found:
        yield found


@pytest.fixture(scope="session")
def lent() -> Iterator[Callable[[Settings], Worker]]:
    """Children for the commands, one for all tests with equal settings."""
    found: dict[Settings, Worker] = {}
    with ExitStack() as stack:

        def lend(settings: Settings) -> Worker:
            if settings not in found:
                found[settings] = stack.enter_context(worker(settings))
            return found[settings]

        yield lend


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent: Callable[[Settings], Worker]) -> Path:
    """The working directory, with three made-up rules; commands start no child that is there already."""
    monkeypatch.setattr("seqlint.proof.worker", lambda settings: nullcontext(lent(settings)))
    made_up_rules.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
