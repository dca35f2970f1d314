"""Findings and rules for programs. What a version of the format has once said stays as it is; new keys may come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from seqlint.baseline import key_of
from seqlint.output.markdown import page
from seqlint.output.prose import sections, summary
from seqlint.output.snippet import Snippet
from seqlint.output.words import contract_of, fixability, in_order, levels_by_line, others_by_line, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from seqlint.engine import Applied, Fixed, Refused
    from seqlint.model import Contract, Diagnostic, Fix, LoadedRule, Position
    from seqlint.sources import Source

FORMAT = 1
"""The version of the format; it grows when a key changes its meaning or goes away."""


def document(
    findings: Iterable[Mapping[str, object]],
    errors: Iterable[Mapping[str, str]] = (),
    shard: Mapping[str, object] | None = None,
    about: Mapping[str, object] | None = None,
) -> str:
    """A report: the findings as `finding` gives them, and what could not be looked at.

    Offsets are bytes in the UTF-8 text without a byte order mark, from 0. Columns are code points, from 1. What lies in a
    notebook has the key "cell", too: lines, columns and offsets then count in the code of that cell. An edit of another file than
    that of the finding has the key "path": the fix holds for all of its edits together.

    Args:
        shard: what the report of a part of a run says of itself; None for a whole one.
        about: what was taken for granted and left out: the keys "keras" and "skipped".
    """
    return _dumped({**_report(findings, errors), **(about or {}), **({} if shard is None else {"shard": shard})})


def snippet(diagnostic: Diagnostic, source: Source) -> dict[str, object]:
    """The code that is shown with a finding."""
    shown = Snippet.of(diagnostic, source)
    return {"last": shown.last, "lines": {str(number): line for number, line in shown.lines.items()}}


def fix_document(
    files: Iterable[Fixed],
    errors: Iterable[Mapping[str, str]] = (),
    proofs: Iterable[Mapping[str, object]] | None = None,
    about: Mapping[str, object] | None = None,
) -> str:
    """A report of fixes: those applied or refused, at their places before, and what is still found after.

    Args:
        proofs: that of each file which was run, as values; None where nobody asked for it.
        about: as for `document`.
    """
    done = list(files)
    left = (finding(diagnostic, file.checked.source) for file in done for diagnostic in file.checked.diagnostics)
    applied = [_applied(file.source.path, fix) for file in done for fix in file.applied]
    refused = [_refused(file.source.path, fix) for file in done for fix in file.refused]
    proved = {} if proofs is None else {"proofs": list(proofs)}
    return _dumped({**_report(left, errors), **(about or {}), "fixed": applied, "refused": refused, **proved})


def rules(loaded: Iterable[LoadedRule]) -> str:
    """The list of rules."""
    return _dumped({"format": FORMAT, "rules": [_rule(rule) for rule in loaded]})


def explained(loaded: Iterable[LoadedRule]) -> str:
    """Rules with their prose: the texts by their headings, and the whole page as Markdown."""
    told = [{**_rule(rule), "sections": dict(sections(rule)), "page": page(rule)} for rule in loaded]
    return _dumped({"format": FORMAT, "rules": told})


def _dumped(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _report(findings: Iterable[Mapping[str, object]], errors: Iterable[Mapping[str, str]]) -> dict[str, object]:
    return {"format": FORMAT, "findings": list(findings), "errors": list(errors)}


def _applied(path: str, fix: Applied) -> dict[str, object]:
    place = {"path": path, **_cell(fix.start), "start": _position(fix.start)}
    files = {"files": [short(other) for other in fix.files]} if fix.files else {}
    return {"code": fix.code, "name": fix.name, "title": fix.title, **_contract(fix.contract), **place, **files}


def _refused(path: str, fix: Refused) -> dict[str, object]:
    place = {"path": path, **_cell(fix.start), "start": _position(fix.start)}
    return {"code": fix.code, "title": fix.title, "reason": fix.reason, **place}


def finding(diagnostic: Diagnostic, source: Source) -> dict[str, object]:
    """One finding of a report."""
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "level": diagnostic.level,
        "keras": list(diagnostic.keras),
        "message": diagnostic.sentence,
        **_texts(diagnostic),
        "path": diagnostic.path,
        **_cell(diagnostic.start),
        "start": _position(diagnostic.start),
        "end": _position(diagnostic.end),
        "fingerprint": key_of(diagnostic, source).digest,
        "fixes": [_fix(fix, source) for fix in diagnostic.fixes],
    }


def _texts(diagnostic: Diagnostic) -> dict[str, str]:
    """What is said in addition to the message; a text that is empty is left out."""
    texts = {
        "condition": diagnostic.condition,
        "note": diagnostic.note,
        "help": diagnostic.help,
        "no_fix": diagnostic.no_fix,
    }
    return {key: text for key, text in texts.items() if text}


def _fix(fix: Fix, source: Source) -> dict[str, object]:
    edits = [_edit(source.position(edit.start), source.position(edit.end), edit.text) for edit in fix.edits]
    elsewhere = [
        {"path": short(each.path), **_edit(start, end, edit.text)}
        for each in fix.elsewhere
        for edit, (start, end) in zip(each.edits, each.places, strict=True)
    ]
    return {"title": fix.title, **_contract(contract_of(fix)), "edits": [*edits, *elsewhere]}


def _edit(start: Position, end: Position, text: str) -> dict[str, object]:
    return {**_cell(start), "start": _position(start), "end": _position(end), "text": text}


def _contract(contract: Contract) -> dict[str, object]:
    return {
        "safe": contract.safe,
        "changes": list(in_order(contract.changes)),
        "repairs": list(in_order(contract.repairs)),
    }


def _position(position: Position) -> dict[str, int]:
    shown = position.shown
    return {"line": shown.line, "column": shown.column, "offset": shown.offset}


def _cell(position: Position) -> dict[str, int]:
    return {} if position.cell is None else {"cell": position.cell.number}


def _rule(loaded: LoadedRule) -> dict[str, object]:
    rule = loaded.rule
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": summary(loaded),
        "since": rule.since,
        "default": rule.default,
        "levels": dict(levels_by_line(rule.levels)),
        "sometimes": {line: list(levels) for line, levels in others_by_line(rule).items()},
        "fix": fixability(rule),
        **_contract(rule.contract),
        "sources": list(rule.sources),
    }
