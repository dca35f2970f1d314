"""A tf.data dataset as the chain of calls that make it, and what is known of it behind each of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import libcst as cst

    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.knowledge.tf_data import Does


@dataclass(frozen=True)
class State:
    """What is known of a dataset.

    Attributes:
        shuffled: its rows come in a random order, be it always the same one.
        reshuffled: in another order each time that it is read.
        endless: it never ends.
        cached: a `cache` or `snapshot` lies on the way.
        prefetched: nothing is computed behind a `prefetch`.
        batched: its elements are batches.
        batches: how often its rows are grouped: 0 for single samples, 1 for batches; None where it can't be told.
    """

    shuffled: Answer = "unknown"
    reshuffled: Answer = "unknown"
    endless: Answer = "unknown"
    cached: Answer = "unknown"
    prefetched: Answer = "unknown"
    batched: Answer = "unknown"
    batches: int | None = None


UNKNOWN = State()
SAMPLES = State("no", "no", "no", "no", "no", "no", 0)
"""A source of single samples in their own order."""


@dataclass(frozen=True, eq=False)
class Link:
    """One call in a chain.

    Attributes:
        name: "map", "shuffle", "from_tensor_slices", "image_dataset_from_directory"; "apply" for `ds.apply(...)`.
        does: the names of what it does. That is its own, but for `apply`: `apply(shuffle_and_repeat(8))` does "shuffle" and
            "repeat"; nothing where it can't be told.
        arguments: by the parameters of tf.data.
        inputs: what it is called on, in each way in which that comes about; None for what can't be followed. Empty: it is a
            source.
        parts: the datasets that are joined, for `zip`, `concatenate` and the like.
        state: what is known behind it.
        output: what takes this dataset, where the call gives several: a name of `train, val = split_dataset(...)`, or
            `splits["train"]`.
    """

    name: str
    node: cst.Call
    does: tuple[str, ...]
    arguments: dict[str, cst.Arg]
    inputs: tuple[Link | None, ...]
    parts: tuple[Chain, ...]
    state: State
    frame: Frame
    output: cst.Name | cst.Subscript | None = None

    def arg(self, name: str) -> cst.BaseExpression | None:
        """The expression given for a parameter."""
        argument = self.arguments.get(name)
        return argument.value if argument is not None else None

    @cached_property
    def chain(self) -> Chain:
        """The chain that ends with this link."""
        return Chain.ending((self,))

    @property
    def before(self) -> State:
        """What is known of the dataset that it is called on."""
        return merged([link.state if link is not None else UNKNOWN for link in self.inputs]) if self.inputs else UNKNOWN


@dataclass(frozen=True, eq=False)
class Chain:
    """A dataset.

    Attributes:
        links: the calls that lead to it, in order, as far back as there is one way. Empty: it is one of several.
        heads: what the first of the links is called on: the ends of other chains, one for each way, None among them for what
            can't be followed; empty where the first link is the source.
    """

    links: tuple[Link, ...]
    heads: tuple[Link | None, ...]

    @classmethod
    def ending(cls, ends: tuple[Link | None, ...]) -> Chain:
        """The chain that ends with a link; with one of several where ways meet."""
        found: list[Link] = []
        while len(ends) == 1 and ends[0] is not None and ends[0] not in found:
            found.append(ends[0])
            ends = ends[0].inputs
        return cls(tuple(reversed(found)), ends)

    @property
    def source(self) -> Link | None:
        """The call that makes it from something else."""
        return self.links[0] if self.links and not self.heads else None

    @cached_property
    def state(self) -> State:
        """What is known of it."""
        if self.links:
            return self.links[-1].state
        return merged([link.state if link is not None else UNKNOWN for link in self.heads])

    def find(self, *names: str) -> tuple[Link, ...]:
        """The links that do something, in order, as far back as there is one way."""
        return tuple(link for link in self.links if not set(names).isdisjoint(link.does))

    def all(self) -> Iterator[Link]:
        """Every link of every way that leads to it, also of what is joined into it."""
        seen: set[Link] = set()
        stack = [*self.links, *(head for head in self.heads if head is not None)]
        while stack:
            link = stack.pop()
            if link in seen:
                continue
            seen.add(link)
            yield link
            stack += [found for found in link.inputs if found is not None]
            for part in link.parts:
                stack += [*part.links, *(head for head in part.heads if head is not None)]


def merged(states: Iterable[State]) -> State:
    """What is known of a dataset that can be one of several."""
    first, *others = states
    for other in others:
        first = State(
            _agreed(first.shuffled, other.shuffled),
            _agreed(first.reshuffled, other.reshuffled),
            _agreed(first.endless, other.endless),
            _agreed(first.cached, other.cached),
            _agreed(first.prefetched, other.prefetched),
            _agreed(first.batched, other.batched),
            first.batches if first.batches == other.batches else None,
        )
    return first


def _agreed(one: Answer, other: Answer) -> Answer:
    return one if one == other else "unknown"


def joined(name: str, states: tuple[State, ...]) -> State:
    """What is known of several datasets in one. `zip` ends with the shortest of them, the others with the longest."""
    if not states:
        return UNKNOWN
    endless = [state.endless for state in states]
    reshuffled = _any([state.reshuffled for state in states])
    sampled = name == "sample_from_datasets"
    return State(
        "yes" if sampled else _any([state.shuffled for state in states]),
        "unknown" if sampled and reshuffled == "no" else reshuffled,
        _all(endless) if name == "zip" else _any(endless),
        _all([state.cached for state in states]),
        "no",
        merged(states).batched,
        merged(states).batches,
    )


def _any(answers: list[Answer]) -> Answer:
    return "yes" if "yes" in answers else "no" if set(answers) == {"no"} else "unknown"


def _all(answers: list[Answer]) -> Answer:
    return "no" if "no" in answers else "yes" if set(answers) == {"yes"} else "unknown"


def after(state: State, does: Does, given: Answer = "yes") -> State:
    """What is known behind a call.

    Args:
        given: what its arguments ask for: for "shuffle" whether in a new order each time, for "repeat" whether for ever, for
            "take" whether it surely leaves some out, for "flatten" whether the function makes batches.
    """
    if does == "options":
        return state
    if does == "opaque":
        return UNKNOWN
    if does == "prefetch":
        return replace(state, prefetched="yes")
    if does == "take":
        return replace(state, endless="no" if given == "yes" or state.endless == "no" else "unknown")
    state = replace(state, prefetched="no")
    if does == "shuffle":
        return replace(state, shuffled="yes", reshuffled=_any([state.reshuffled, given]))
    if does == "repeat":
        return replace(state, endless=_any([state.endless, given]))
    if does == "cache":  # the order stays once it was read to its end, and only then
        return replace(state, cached="yes", reshuffled="no" if state.reshuffled == "no" else "unknown")
    return _grouped(state, does, given)


def _grouped(state: State, does: Does, given: Answer) -> State:
    known = state.batches
    if does == "batch":
        return replace(state, batched="yes", batches=known + 1 if known is not None else None)
    if does == "unbatch" and known is not None:
        return replace(state, batched="yes" if known > 1 else "no", batches=max(known - 1, 0))
    if does in ("unbatch", "nest") or (does == "flatten" and given != "no"):
        return replace(state, batched="unknown", batches=None)
    return state
