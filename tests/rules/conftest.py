"""Programs are judged in an empty folder: what seqlint's own project declares says nothing about them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_CODE = re.compile(r"\[.*?(SEQ\d{3})")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One rule after the other: what several tests ask about the same program is then worked out once, as `checks` says."""
    places = [place for place, item in enumerate(items) if item.path.parent == HERE]
    for place, item in zip(places, sorted((items[place] for place in places), key=_code), strict=True):
        items[place] = item


def _code(item: pytest.Item) -> str:
    found = _CODE.search(item.nodeid)
    return found[1] if found is not None else ""


@pytest.fixture(scope="session")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nowhere")


@pytest.fixture(autouse=True)
def in_no_project(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(nowhere)
