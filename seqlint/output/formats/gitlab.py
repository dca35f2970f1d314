"""The Code Quality report of GitLab.

Source: docs.gitlab.com, "Code Quality", the format of a report.
"""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

from seqlint.output.formats.places import span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Level
    from seqlint.output.formats.result import Reported, Result

_SEVERITIES: Mapping[Level, str] = {"error": "major", "warning": "minor", "advice": "info"}


def document(result: Result) -> str:
    """One array of findings. Each has a fingerprint of its own that moved lines do not change."""
    seen: Counter[str] = Counter()
    return json.dumps([_finding(found, seen) for found in result.findings], indent=2) + "\n"


def _finding(found: Reported, seen: Counter[str]) -> dict[str, object]:
    diagnostic, place = found.diagnostic, span(found.diagnostic)
    return {
        "description": f"{diagnostic.code}: {found.text}",
        "check_name": diagnostic.code,
        "fingerprint": _fingerprint(found, seen),
        "severity": _SEVERITIES[diagnostic.level],
        "location": {"path": diagnostic.path, "lines": {"begin": place.line, "end": place.end_line}},
    }


def _fingerprint(found: Reported, seen: Counter[str]) -> str:
    """GitLab takes two findings with one fingerprint for one; so equal ones of a file are numbered."""
    shared = f"{found.diagnostic.path}:{found.value['fingerprint']}"
    seen[shared] += 1
    return sha256(f"{shared}:{seen[shared]}".encode("utf-8", "surrogateescape")).hexdigest()
