"""What seqlint asks of the shell of IPython, which the kernels of Jupyter, Colab and VS Code share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Info(Protocol):
    """What a cell was run with."""

    raw_cell: str
    store_history: bool
    silent: bool


class Result(Protocol):
    """What became of a cell.

    Attributes:
        info: what it was run with. From IPython 8 on it has `cell_id`, which is None where the editor names no cells.
        execution_count: the number in the brackets next to the cell; None where it has none.
        error_before_exec: why it did not run at all, such as a syntax error.
        error_in_exec: what it raised.
    """

    info: Info
    execution_count: int | None
    error_before_exec: BaseException | None
    error_in_exec: BaseException | None


class History(Protocol):
    """The cells as they were written, by their numbers; the one of number 0 is empty."""

    input_hist_raw: Sequence[str]


class Events(Protocol):
    """Where one asks to be told of cells."""

    def register(self, event: str, function: Callable[[Result], None]) -> None:
        """Call a function at each such event."""

    def unregister(self, event: str, function: Callable[[Result], None]) -> None:
        """Call it no more."""


class Magics(Protocol):
    """The magics of a shell, by "line" and "cell" and then by their names."""

    magics: dict[str, dict[str, object]]


class Shell(Protocol):
    """The shell of a kernel or of a terminal."""

    execution_count: int
    events: Events
    history_manager: History
    magics_manager: Magics
    user_ns: dict[str, object]

    def register_magic_function(self, func: Callable[..., None], magic_kind: str, magic_name: str) -> None:
        """Make a function a magic."""

    def set_next_input(self, s: str, replace: bool = False) -> None:
        """Give the user a text to run next, in place of that of this cell or below it."""
