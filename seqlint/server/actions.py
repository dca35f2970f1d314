"""What an editor offers at a finding: its fixes, to hide it, to read about it, to prove a fix; and all fixes at once."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from seqlint import engine
from seqlint.model import Edit
from seqlint.output.words import contract_of, in_order, listed
from seqlint.server.documents import end
from seqlint.server.places import at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from seqlint.model import Diagnostic, Fix
    from seqlint.server.analysis import Analysis, Analyst
    from seqlint.server.elsewhere import Held
    from seqlint.server.snapshot import Snapshot
    from seqlint.sources import Source

QUICK = lsp.CodeActionKind.QuickFix.value
FIX_ALL = "source.fixAll.seqlint"
NOTEBOOK_FIX_ALL = "notebook.source.fixAll.seqlint"
_FIX_ALL = "seqlint: fix all that is safe"
KINDS = (QUICK, FIX_ALL, NOTEBOOK_FIX_ALL)

TextEdits = dict[str, list[lsp.TextEdit]]


@dataclass(frozen=True)
class Offer:
    """An action at a place, before its edits are worked out.

    Attributes:
        diagnostic: the finding; None for all fixes at once.
        fix: the fix that it makes; None for what is no fix.
        hiding: the edit that hides the finding.
        command: what the server is to do.
    """

    title: str
    kind: str
    diagnostic: Diagnostic | None = None
    fix: Fix | None = None
    hiding: Edit | None = None
    command: lsp.Command | None = None
    preferred: bool = False

    def unresolved(self, analysis: Analysis, shown: Sequence[lsp.Diagnostic]) -> lsp.CodeAction:
        """The action as it is listed; its edits are asked for when it is chosen."""
        data = None if self.command else {"uri": analysis.snapshot.uri, "offer": self._name}
        repaired = [one for one in shown if self.diagnostic is not None and one.code == self.diagnostic.code]
        return lsp.CodeAction(
            self.title, self.kind, repaired or None, self.preferred or None, command=self.command, data=data
        )

    def resolved(self, analyst: Analyst, analysis: Analysis, held: Held, *, versioned: bool) -> lsp.CodeAction | None:
        """The action with its edits; None where a guard of the engine refuses them, or another file that they change is not saved."""
        action = lsp.CodeAction(self.title, self.kind, is_preferred=self.preferred or None, command=self.command)
        if self.command is not None:
            return action
        if self.diagnostic is None:
            action.edit = fix_all(analyst, analysis, held, versioned=versioned)
            return action if action.edit is not None else None
        edits: tuple[Edit, ...] = (self.hiding,) if self.hiding is not None else ()
        if self.fix is not None:
            if analyst.attempt(analysis, self.diagnostic, self.fix) is not None:
                return None
            edits = self.fix.edits
        others = _others([] if self.fix is None else [(each.path, each.edits) for each in self.fix.elsewhere], held)
        if others is None:
            return None
        own = analysis.snapshot.text_edits(edits)
        action.edit = _workspace_edit(analysis.snapshot, own, others, versioned=versioned)
        return action

    @property
    def _name(self) -> list[str | int]:
        """What it is found by again, in a text that has not changed."""
        return [self.title, self.kind, self.diagnostic.start.offset if self.diagnostic is not None else -1]


def offers(
    analyst: Analyst, analysis: Analysis, held: Held, uri: str, where: lsp.Range, only: Sequence[str] | None
) -> tuple[Offer, ...]:
    """The actions at a range of a text, of the kinds that the editor asks for; no fix that can't be applied."""
    wanted = None if only is None else tuple(str(getattr(kind, "value", kind)) for kind in only)
    found: list[Offer] = []
    if _asked(QUICK, wanted):
        for diagnostic in at(analysis, uri, where):
            fixes = [
                fix
                for fix in diagnostic.fixes
                if analyst.attempt(analysis, diagnostic, fix) is None
                and all(held.snapshot(each.path) is not None for each in fix.elsewhere)
            ]
            found += _of(diagnostic, fixes, analysis.snapshot)
    return (*found, *_all(analyst, analysis, wanted))


def uri_of(action: lsp.CodeAction) -> str:
    """The file or notebook that an unresolved action is of; empty for others."""
    return str(action.data.get("uri", "")) if isinstance(action.data, dict) else ""


def offer_of(action: lsp.CodeAction, analysis: Analysis) -> Offer | None:
    """The offer that an unresolved action stands for; None where the text has changed too much since."""
    name = action.data.get("offer") if isinstance(action.data, dict) else None
    if not isinstance(name, list):
        return None
    there = (diagnostic for diagnostic in analysis.diagnostics if diagnostic.start.offset == name[-1])
    found = [offer for diagnostic in there for offer in _of(diagnostic, diagnostic.fixes, analysis.snapshot)]
    of_all = (Offer(_FIX_ALL, kind) for kind in (FIX_ALL, NOTEBOOK_FIX_ALL))
    return next((offer for offer in (*found, *of_all) if offer._name == name), None)


def _all(analyst: Analyst, analysis: Analysis, wanted: tuple[str, ...] | None) -> Iterator[Offer]:
    """All fixes at once; unasked only where there is one, and then of the kind that fits."""
    kinds = (NOTEBOOK_FIX_ALL, FIX_ALL) if analysis.snapshot.notebook else (FIX_ALL,)
    if wanted is not None:
        yield from (Offer(_FIX_ALL, kind) for kind in kinds if _asked(kind, wanted))
        return
    safe = ((found, fix) for found in analysis.diagnostics for fix in found.fixes[:1] if fix.safe)
    if any(analyst.attempt(analysis, found, fix) is None for found, fix in safe):
        yield Offer(_FIX_ALL, FIX_ALL)


def _of(diagnostic: Diagnostic, fixes: Sequence[Fix], snapshot: Snapshot) -> Iterator[Offer]:
    code = diagnostic.code
    for number, fix in enumerate(fixes):
        yield Offer(_title(code, fix), QUICK, diagnostic, fix, preferred=number == 0 and fix.safe)
    hiding = engine.hide(snapshot.source, diagnostic)
    if hiding is not None and snapshot.source.takes((hiding,)):
        yield Offer(f"{code}: ignore here", QUICK, diagnostic, hiding=hiding)
    yield Offer(
        f"{code}: explain", QUICK, diagnostic, command=lsp.Command("Explain", "seqlint.explain", arguments=[code])
    )
    if fixes and not (snapshot.source.is_page or snapshot.source.path.startswith("<")):
        arguments = [snapshot.uri, code, diagnostic.start.offset]
        command = lsp.Command("Verify", "seqlint.verifyFix", arguments=arguments)
        yield Offer(f"{code}: verify this fix on TensorFlow", QUICK, diagnostic, command=command)


def _title(code: str, fix: Fix) -> str:
    """The safety first, since menus cut off long titles: "Safe: Call … (SEQ104)", "Unsafe: … (SEQ204, changes order)"."""
    contract = contract_of(fix)
    if contract.safe:
        return f"Safe: {fix.title} ({code})"
    return f"Unsafe: {fix.title} ({code}, changes {listed(in_order(contract.changes))})"


def _asked(kind: str, only: tuple[str, ...] | None) -> bool:
    """Whether a kind is asked for: "source" asks for "source.fixAll.seqlint", too."""
    return only is None or any(asked in ("", kind) or kind.startswith(f"{asked}.") for asked in only)


def fix_all(analyst: Analyst, analysis: Analysis, held: Held, *, versioned: bool) -> lsp.WorkspaceEdit | None:
    """What `seqlint fix` makes of the text and others that change with it; None where it changes nothing.

    Where another one is open with changes that are not saved, the text alone is fixed.
    """
    fixed = analyst.fix(analysis)
    others = _others([(one.path, between(one.before, one.after)) for one in fixed.others] if fixed else [], held)
    if others is None:
        fixed, others = analyst.fix(analysis, single=True), ()
    if fixed is None or fixed.source.text == fixed.before.text:
        return None
    snapshot = analysis.snapshot
    edits = (
        _cells(snapshot, fixed.source)
        if snapshot.notebook
        else snapshot.text_edits(between(fixed.before, fixed.source))
    )
    return _workspace_edit(snapshot, edits, others, versioned=versioned)


Changed = tuple[str, int | None, list[lsp.TextEdit]]
"""The address of another text, its version if it is open, and its edits."""


def _others(changes: Iterable[tuple[str, Sequence[Edit]]], held: Held) -> tuple[Changed, ...] | None:
    """The edits of other files; None where one of them is not as it was when they were made."""
    found: list[Changed] = []
    for path, edits in changes:
        snapshot = held.snapshot(path)
        if snapshot is None:
            return None
        found.append((snapshot.uri, held.version(path), snapshot.text_edits(edits).get(snapshot.uri, [])))
    return tuple(found)


def between(before: Source, after: Source) -> tuple[Edit, ...]:
    """The edits of whole lines that turn one text into the other, in the bytes of the first."""
    old, new = before.utf8.splitlines(keepends=True), after.utf8.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        Edit(starts[i], starts[j], b"".join(new[m:n]).decode("utf-8"))
        for tag, i, j, m, n in matcher.get_opcodes()
        if tag != "equal"
    )


def _cells(snapshot: Snapshot, after: Source) -> TextEdits:
    """The new text of each cell that has changed."""
    assert after.notebook is not None
    texts = after.notebook.texts()
    found: TextEdits = {}
    for number, cell in enumerate(snapshot.cells, 1):
        if cell is not None and texts[number] != cell.text:
            whole = lsp.Range(lsp.Position(0, 0), end(cell.text, snapshot.encoding))
            found[cell.uri] = [lsp.TextEdit(whole, texts[number])]
    return found


def _workspace_edit(
    snapshot: Snapshot, edits: TextEdits, others: Sequence[Changed] = (), *, versioned: bool
) -> lsp.WorkspaceEdit:
    numbers: dict[str, int | None] = {text.uri: text.version for text in snapshot.texts}
    numbers |= {uri: version for uri, version, _ in others}
    whole = {**edits, **{uri: some for uri, _, some in others}}
    if not versioned:
        return lsp.WorkspaceEdit(changes=whole)
    return lsp.WorkspaceEdit(
        document_changes=[
            lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, numbers[uri]), list(some))
            for uri, some in whole.items()
        ]
    )
