"""Which model a save writes, and a load fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run.objects import Super

if TYPE_CHECKING:
    from seqlint.domains.paths.saves import Saved
    from seqlint.run import Call, Object, Result, Run


class SavedModels:
    """The models of the saves and loads of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def model(self, saved: Saved) -> Object | None:
        """The model; for a callback that of the one `fit` which gets it."""
        result = saved.call.result
        if saved.kind == "checkpoint":
            fits = [call for call in self._run.methods("fit") if self._gets(call, result)]
            return fits[0].result.receiver if len(fits) == 1 else None
        if result.receiver is None:
            return result.args[0].only if result.args else None
        return result.receiver.receiver if isinstance(result.receiver, Super) else result.receiver

    def _gets(self, fit: Call, callback: Result) -> bool:
        given = fit.result.keyword("callbacks")
        listed = [given, *(self._run.items(given) or ())] if given is not None else []
        return any(each is callback for value in listed if value is not None for each in value)
