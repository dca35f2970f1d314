"""The report for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from seqlint.migrate.report.words import PARTS
from seqlint.version import __version__

if TYPE_CHECKING:
    from seqlint.migrate.values import Migration


def document(migration: Migration) -> str:
    """All rows by their parts, and the files that change."""
    value = {
        "seqlint": __version__,
        "to": "both" if migration.aim.keep_both else "3",
        "written": migration.written,
        "broken": migration.broken,
        "files": migration.files,
        "changed": [{"path": one.path, "diff": one.diff} for one in migration.changed],
        **{part.replace(" ", "_"): [asdict(row) for row in migration.part(part)] for part in PARTS},
    }
    return json.dumps(value, indent=2) + "\n"
