"""Which rows a source of batches reads: a dataset of tf.data, a flow, a Sequence, a generator of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.parts.part import Mix, Part, Take
from seqlint.domains.parts.switches import changes_rows_alone
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.rows.terms import identity
from seqlint.domains.sources.flows import Flows
from seqlint.domains.sources.subsets import LOADERS
from seqlint.knowledge.canonical_names import SEQUENCE
from seqlint.knowledge.rows_kept import DRAWN
from seqlint.run import Constant, Generator, Instance, Result, Value
from seqlint.run.attributes import inherits

if TYPE_CHECKING:
    from seqlint.domains.parts.parts import Parts
    from seqlint.domains.rows.steps import Moment
    from seqlint.domains.sources.flows import Flow
    from seqlint.run import Object

_KEEPS = frozenset({
    "map", "batch", "padded_batch", "ragged_batch", "cache", "snapshot", "enumerate", "prefetch", "rebatch", "repeat", "unbatch",
    "with_options", "apply", "as_numpy_iterator", "experimental_distribute_dataset", "ignore_errors", "flat_map", "interleave", "window",
    "bucket_by_sequence_length", "scan", "options", "distribute_datasets_from_function",
})  # fmt: skip
_CUTS = frozenset({"take", "skip", "shard", "filter", "take_while"})
_HELD_BY_NAME = frozenset({"batch_size", "shuffle", "augment", "seed", "bs", "workers", "batch"})


def of_stream(parts: Parts, found: Object, at: Moment, depth: int) -> Part | None:
    """The rows that a source of batches reads; None where it is none, or nobody knows."""
    if isinstance(found, Instance):
        return _of_instance(parts, found, at, depth)
    if isinstance(found, Generator):
        return _of_generator(parts, found, at, depth)
    if not isinstance(found, Result):
        return None
    flow = parts.run.domain(Flows).all.get(found)
    if flow is not None:
        return _of_flow(parts, flow, at, depth)
    pipelines = parts.run.domain(Pipelines)
    return _of_dataset(parts, pipelines, found, at, depth) if pipelines.is_dataset(found) else None


# -- datasets -----------------------------------------------------------------------------------------------------------


def _of_dataset(parts: Parts, pipelines: Pipelines, step: Result, at: Moment, depth: int) -> Part | None:
    if step.op == "item" and isinstance(step.receiver, Result):
        return _of_several(parts, pipelines, step, step.receiver, at, depth)
    method = step.method
    if method in LOADERS:
        return _of_loader(pipelines, step)
    if method in ("from_tensor_slices", "from_tensors"):
        part = parts.of(pipelines.argument(step, "tensors"), at, depth)
        return part if part is not None else Part(("made", step.serial), (), step)
    if step.name == "tensorflow_datasets.load":
        return Part(("loaded", step.term), (), step)
    above = pipelines.parents(step)
    if not above:
        return Part(("loaded", step.term) if method == "TFRecordDataset" else identity(step), (), step)
    part = parts.of(above[0], at, depth)
    if method == "concatenate":
        joined = (parts.of(each, at, depth) for each in above)
        return Part(identity(step), (), step, joined=tuple(each for each in joined if each is not None))
    if part is None or method in ("sample_from_datasets", "choose_from_datasets"):
        return Part(identity(step), (), step)
    if method in _KEEPS or method == "zip":
        return part.by(step)
    if method == "shuffle":
        return part.then(Mix(("shuffled", step.serial)))
    return part.then(_cut(pipelines, step)) if method in _CUTS else Part(identity(step), (), step)


def _cut(pipelines: Pipelines, step: Result) -> Take:
    given = step.args[0] if step.args else next((value for _, value in step.keywords), None)
    count = given.term if given is not None else 0
    if step.method in ("take", "skip"):
        bound = given.constant if given is not None and isinstance(given.only, Constant) else ("term", count)
        side = (None, bound, None) if step.method == "take" else (bound, None, None)
        return Take(("slice",), side)
    if step.method == "shard":
        index = pipelines.argument(step, "index")
        return Take(("shard", count), (index.term if index is not None else 0,))
    return Take((step.method, count), ())


def _of_several(
    parts: Parts, pipelines: Pipelines, item: Result, source: Result, at: Moment, depth: int
) -> Part | None:
    """One of the datasets that a call gives: `subset="both"`, `split_dataset`, `tfds.load(split=[...])`."""
    key = item.args[0].constant
    if source.method in LOADERS and key in (0, 1):
        part = _of_loader(pipelines, source)
        return part.then(Take(("subset",), (("training", "validation")[int(key)],))) if part is not None else None
    if source.method == "split_dataset" and key in (0, 1):
        part = parts.of(source.args[0] if source.args else source.keyword("dataset"), at, depth)
        return part.then(Take(("split", source.serial), (key,))) if part is not None else None
    return Part((*identity(item),), (), item)


def _of_loader(pipelines: Pipelines, step: Result) -> Part | None:
    """The files of a folder, or one subset of them."""
    folder = pipelines.argument(step, "directory")
    if folder is None or folder.constant is None or pipelines.hides_arguments(step):
        return None  # a folder of None is a blank that somebody shall fill in
    names = pipelines.argument(step, "class_names")
    part = Part(("folder", folder.term, names.term if names is not None else 0), (), step)
    subset = pipelines.argument(step, "subset")
    return _of_subset(part, subset) if subset is None or subset.constant != "both" else part


def _of_subset(part: Part, subset: Value | None) -> Part | None:
    if subset is None or subset.constant is None:
        return part
    return part.then(Take(("subset",), (subset.constant,))) if isinstance(subset.constant, str) else None


# -- flows --------------------------------------------------------------------------------------------------------------


def _of_flow(parts: Parts, flow: Flow, at: Moment, depth: int) -> Part | None:
    if any(name in ("*", "**") for name, _ in flow.call.result.keywords):
        return None
    source = {"flow": "x", "flow_from_directory": "directory"}.get(flow.call.result.method, "dataframe")
    given = flow.argument(source)
    if given is None or given.constant is None:
        return None
    if source == "directory":
        classes = flow.argument("classes")
        part: Part | None = Part(
            ("folder", given.term, classes.term if classes is not None else 0), (), flow.call.result
        )
    else:
        part = parts.of(given, at, depth)
    part = part.by(flow.call.result) if part is not None else None
    return _of_subset(part, flow.call.result.keyword("subset")) if part is not None else None


# -- Sequences and generators of the program ----------------------------------------------------------------------------


def _of_instance(parts: Parts, found: Instance, at: Moment, depth: int) -> Part | None:
    """The rows of a Sequence: those of the one collection that it keeps. What else two objects of a class differ in is a step."""
    if not inherits(found.cls, SEQUENCE) or _draws(parts, found):
        return None
    held = {
        store.name: store.value
        for store in parts.run.stores
        if store.owner is found and not changes_rows_alone(found.cls.node, store.name)
    }
    return _of_settings(parts, found.cls.term, held, at, depth)


def _of_generator(parts: Parts, found: Generator, at: Moment, depth: int) -> Part | None:
    """The rows of a generator function: those of the first collection that it gets."""
    own, given = found.function.node.args, dict(found.given)
    names = [each.arg for each in (*own.posonlyargs, *own.args, *own.kwonlyargs)]
    node = found.function.node
    held = {name: given[name] for name in names if name in given and not changes_rows_alone(node, name)}
    return _of_settings(parts, found.function.term, held, at, depth)


def _of_settings(parts: Parts, kind: int, held: dict[str, Value], at: Moment, depth: int) -> Part | None:
    rows = {name: parts.of(value, at, depth) for name, value in held.items() if not _is_plain(value)}
    known = {name: part for name, part in rows.items() if part is not None and not part.made_up}
    if not known:
        return None
    others = tuple(
        (name, value.term)
        for name, value in sorted(held.items())
        if name not in known and name.strip("_") not in _HELD_BY_NAME and _is_plain(value)
    )
    first = next(iter(known.values()))
    if any(part != first for part in known.values()):
        first = Part(
            ("several", *sorted((name, part.base, part.steps) for name, part in known.items())), (), first.source
        )
    return first.then(Take(("made with", kind, *others), ())) if others else first


def _is_plain(value: Value) -> bool:
    return isinstance(value.only, Constant) or value.constant is not ...


def _draws(parts: Parts, found: Instance) -> bool:
    """Whether its batches hold rows that are made up."""
    return any(
        call.name.startswith(DRAWN)
        and any(phase.owner is not None or phase.kind == "sequence" for phase in call.context.phases)
        for call in parts.run.calls
        if call.context.phases[-1].kind == "sequence" and not call.name.endswith(("shuffle", "permutation"))
    )
