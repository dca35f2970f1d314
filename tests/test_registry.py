"""Packages that offer rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint import registry

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def installed(site: Path, name: str, entry_points: str) -> None:
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)


def test_a_package_offers_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = registry.packs()
    installed(tmp_path, "other", "[console_scripts]\nother = other:main\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert registry.packs() == before
    installed(tmp_path, "house-rules", "[seqlint.rules]\nhouse = house_rules.keras\n")
    assert registry.packs() == sorted([*before, "house_rules.keras"])
