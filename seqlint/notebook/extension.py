"""`%load_ext seqlint`: what happens after each cell, and the magics `%seqlint` and `%%seqlint fix`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqlint.model import SeqlintError
from seqlint.notebook import shown
from seqlint.notebook.cells import Cells, Ran, says_something
from seqlint.notebook.checks import check, fix, path_of
from seqlint.output import fixes
from seqlint.output.paint import Paint
from seqlint.output.text import count
from seqlint.output.text import findings as summed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from seqlint.engine import Checked, Fixed
    from seqlint.model import Diagnostic
    from seqlint.notebook.shell import Result, Shell

_NAME, _EVENT = "seqlint", "post_run_cell"
_USAGE = "use `%seqlint`, `%seqlint on`, `%seqlint off`, or `%%seqlint fix [--unsafe]` above the code of a cell"
_loaded: dict[int, Extension] = {}


def load(shell: Shell) -> None:
    """Check the cells of a shell from now on."""
    unload(shell)
    extension = Extension(shell)
    extension.look_back()
    shell.register_magic_function(extension.magic, "line_cell", _NAME)
    shell.events.register(_EVENT, extension.after)
    _loaded[id(shell)] = extension


def unload(shell: Shell) -> None:
    """Leave a shell as it was."""
    extension = _loaded.pop(id(shell), None)
    if extension is None:
        return
    shell.events.unregister(_EVENT, extension.after)
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop(_NAME, None)


@dataclass
class Extension:
    """The cells of one shell, and whether they are checked by themselves.

    What goes wrong in seqlint never stops a cell of the user.
    """

    shell: Shell
    on: bool = True
    _cells: Cells = field(default_factory=Cells)
    _told: set[str] = field(default_factory=set)

    def look_back(self) -> None:
        """Take the cells that ran before this one."""
        earlier = list(self.shell.history_manager.input_hist_raw)[: self.shell.execution_count]
        for number, text in enumerate(earlier):
            if number and says_something(text):
                self._cells.add(Ran(number, text))

    def after(self, result: Result) -> None:
        """A cell has run: show what is found in it."""
        cell = _ran(result)
        if cell is None:
            return
        before, self._cells = self._cells, Cells(list(self._cells.ran))
        self._cells.add(cell)
        if self.on:
            _guarded(lambda: self._show(cell.number))
        if result.error_in_exec is not None and not cell.name:
            self._cells = before  # it will run again, and nothing tells then that it is the same

    def magic(self, line: str, cell: str | None = None) -> None:
        """Check the cells that have run, or fix the code of a cell and put it in its place.

        %seqlint                  the findings of all cells that have run
        %seqlint on|off           show the findings of each cell after it, or not
        %%seqlint fix [--unsafe]  show the diff of the fixes of this cell and replace its text; the cell does not run
        """
        words = line.split()
        if cell is not None:
            self._fix(words, cell)
        elif words in (["on"], ["off"]):
            self.on = words == ["on"]
            print(f"seqlint: {'shows findings after each cell' if self.on else 'is off; `%seqlint` still checks'}")
        elif not words:
            _guarded(lambda: self._show(None))
        else:
            _refuse(f"unknown: {line}")

    def _show(self, number: int | None) -> None:
        """The findings of one cell; None: those of all, or that there are none."""
        answer = check(self._cells.source(path_of(self.shell)))
        self._tell(answer.untrusted)
        found = _in(answer.checked, number)
        if found and answer.checked is not None:
            _display(shown.findings(found, answer.checked.source))
        if number is None:
            print(f"seqlint: {summed(found)} in {count(len(self._cells.ran), 'cell')}")

    def _fix(self, words: Sequence[str], code: str) -> None:
        if words not in (["fix"], ["fix", "--unsafe"]):
            _refuse(f"unknown: {' '.join(words)}" if words else "nothing to do with the cell")
        if not code.strip():
            _refuse("there is no code below `%%seqlint fix`")
        _guarded(lambda: self._fix_cell(code, unsafe="--unsafe" in words))

    def _fix_cell(self, code: str, *, unsafe: bool) -> None:
        cell = Ran(self.shell.execution_count, code, _running(self.shell))
        fixed = fix(self._cells.source(path_of(self.shell), cell), unsafe=unsafe)
        if fixed.source.text == fixed.before.text or fixed.source.notebook is None:
            print(f"seqlint: no fix for this cell{_more(fixed, cell.number)}; it did not run, and is as it was")
            return
        _display(shown.diff(fixes.done(fixed, Paint()), fixes.file_diff(fixed.before, fixed.source)))
        self.shell.set_next_input(fixed.source.notebook.texts()[cell.number].rstrip("\r\n"), replace=True)
        print(f"seqlint: the cell has its fixes and did not run{_more(fixed, cell.number)}")

    def _tell(self, complaints: Sequence[str]) -> None:
        """Say once which rules did not run."""
        for complaint in complaints:
            if complaint not in self._told:
                self._told.add(complaint)
                print(f"seqlint: {complaint}", file=sys.stderr)


def _ran(result: Result) -> Ran | None:
    """The cell, where it is one that ran and is kept."""
    info, number = result.info, result.execution_count
    if info.silent or not info.store_history or not number or result.error_before_exec is not None:
        return None
    return Ran(number, info.raw_cell, getattr(info, "cell_id", None) or "") if says_something(info.raw_cell) else None


def _running(shell: Shell) -> str:
    """The name of the cell that runs; empty where the editor names none."""
    parent = getattr(shell, "parent_header", None)
    metadata = parent.get("metadata") if isinstance(parent, dict) else None
    name = metadata.get("cellId") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else ""


def _in(checked: Checked | None, number: int | None) -> list[Diagnostic]:
    found = checked.diagnostics if checked is not None else ()
    return [one for one in found if number is None or (one.start.cell is not None and one.start.cell.number == number)]


def _more(fixed: Fixed, number: int) -> str:
    """How many fixes of a cell are left to --unsafe."""
    left = sum(bool(one.fixes) and not one.fixes[0].safe for one in _in(fixed.checked, number))
    return f"; `--unsafe` fixes {left} more" if left else ""


def _guarded(work: Callable[[], None]) -> None:
    try:
        work()
    except SeqlintError as error:
        print(f"seqlint: {error}", file=sys.stderr)
    except Exception as error:  # of seqlint itself: the notebook must go on
        print(f"seqlint: could not check the cells: {type(error).__name__}: {error}", file=sys.stderr)


def _display(data: dict[str, str]) -> None:
    from IPython.display import display

    display(data, raw=True)


def _refuse(why: str) -> None:
    """Say that nothing was done, and stop the cell.

    Raises:
        UsageError: always; IPython shows its text alone.
    """
    from IPython.core.error import UsageError

    raise UsageError(f"seqlint: {why}; {_USAGE}")
