from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio

from tests.server.editor import PROFILES, Editor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import pytest


@pytest_asyncio.fixture(scope="package", loop_scope="session", params=PROFILES)
async def editor(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """An editor of each kind, with one server for all tests: each test takes names of its own."""
    folder: Path = tmp_path_factory.mktemp("project")
    (folder / "pyproject.toml").write_text('[tool.seqlint]\nkeras = ">=3.10"\n')
    found = await Editor.start(request.param, folder)
    yield found
    await found.stop()
