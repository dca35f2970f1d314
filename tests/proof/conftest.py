"""Children that run programs, shared by all tests."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import KERAS_CHOICES, Settings, missing
from tests.proof import made_up_rules

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.proof import KerasChoice, Worker, Workers


@pytest.fixture(scope="session")
def child(lent: Workers) -> Worker:
    return lent.under(Settings(limit_s=60))


@pytest.fixture(scope="session")
def mirrored(lent: Workers) -> dict[KerasChoice, Worker]:
    """For each Keras, a worker with two logical processors."""
    return {keras: lent.under(Settings(keras=keras, replicas=2, limit_s=60)) for keras in KERAS_CHOICES}


@pytest.fixture(scope="session")
def legacy(lent: Workers) -> Worker:
    settings = Settings(keras="legacy", limit_s=60)
    if missing(settings):
        pytest.skip("tf-keras is not installed")
    return lent.under(settings)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent: Workers) -> Path:
    """The working directory, with three made-up rules; commands start no child that is there already."""
    for place in ("seqlint.proof", "seqlint.cli.fix_proved"):
        monkeypatch.setattr(f"{place}.workers", lambda: nullcontext(lent))
    made_up_rules.write(tmp_path)
    monkeypatch.setenv("SEQLINT_TRUST_RULES", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path
