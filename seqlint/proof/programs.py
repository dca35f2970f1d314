"""What is run: a script, the code cells of a notebook, or a module of classes that something else must drive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["script", "notebook", "classes", "plan"]
How = Literal["truncated", "missing"]


@dataclass(frozen=True, slots=True)
class Program:
    """How a file is run.

    Attributes:
        kind: "script" runs it as `__main__`; "notebook" runs its code cells in order; "classes" imports it and trains on
            what its classes give; "plan" tries inputs for each class, and trains on none.
        argv: the arguments of the script.
        factory: for "classes": "module:function", which makes what is driven, or "module" for all its functions. Empty:
            inputs are made for each class.
        plan: for "classes" without a factory: the inputs that were chosen on the unchanged module, as JSON.
        start: the folder that it starts in, relative to that of the run.
        data: files and folders that it needs, as whole paths; the run finds them under their names where it starts.
        defaults: parameters whose defaults change, as "Class.method.parameter".
        deterministic: whether TensorFlow uses deterministic operations alone: some have no such kernel for a GPU.
        seed: what is added to the seed of the settings.
        calm: whether nothing may change the order of rows or files, so that it is seen what belongs together.
        validated: whether it is noted which inputs a model is tested on.
        carry: whether the initial weights of models are kept for another run, or taken from one.
        initial: the weights that are taken.
        stir: what is added to the seeds of what Keras and TensorFlow draw, where weights are carried over.
        older: whether tf-keras takes what Keras 2 took before 2.11, such as `lr`.
        others: files of the project that hold something else in the run, by their paths in its folder.
        changed: lines, first and last, of which it is noted whether they ran.
    """

    kind: Kind = "script"
    argv: tuple[str, ...] = ()
    factory: str = ""
    plan: str = ""
    changed: tuple[tuple[int, int], ...] = ()
    start: str = ""
    data: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()
    deterministic: bool = True
    seed: int = 0
    calm: bool = False
    validated: bool = False
    carry: Literal["", "keep", "take"] = ""
    initial: bytes = b""
    stir: int = 0
    older: bool = False
    others: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Corrupt:
    """One data file that is spoiled before the program first runs a model.

    Attributes:
        path: relative to the place of the run, as `read` of a recording names it.
        how: "truncated" leaves the first half of its bytes, "missing" removes it.
    """

    path: str
    how: How


SCRIPT = Program()
