"""An epoch hook of a Sequence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.facts.code.scopes import parameters

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts.classes.classes import ClassFacts, Reached
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.classes.template_methods import TemplateMethod

HOOKS = ("on_epoch_end", "on_epoch_begin")


@dataclass(frozen=True, eq=False)
class Hook:
    """An epoch hook of a Sequence.

    Attributes:
        name: "on_epoch_end" or "on_epoch_begin".
        owner: the class that defines it: a Sequence, or something mixed into one.
        node: the method.
        reached: every function of this file that runs with it, itself first.
        of_callback: whether a class that has it is a Callback too, so that it runs for both; none that surely is.
        template_method: who calls the method, where it is not the hook itself but what the hook of a base in another file calls.
    """

    name: str
    owner: ClassFacts
    node: cst.FunctionDef
    reached: tuple[Reached, ...]
    of_callback: Answer = "no"
    template_method: TemplateMethod | None = None

    @property
    def called(self) -> str:
        """The method as a reader knows it: "Feed.on_epoch_end"."""
        return f"{self.owner.name}.{self.node.name.value}"

    @property
    def demands(self) -> tuple[cst.Param, ...]:
        """The parameters that a caller must give, beyond the instance."""
        return demanded(self.node)


def demanded(method: cst.FunctionDef) -> tuple[cst.Param, ...]:
    """The parameters of a method that have no default, the instance left out."""
    params = method.params
    starred = (params.star_arg, params.star_kwarg)
    needed = (param for param in parameters(params)[1:] if param.default is None and param not in starred)
    return tuple(needed)
