"""Which calls that look like tf.data surely are: `map`, `take` and `batch` are methods of many other things."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.knowledge.tf_data import DISTRIBUTE, OTHERS, TELLTALE_KEYWORDS, TELLTALE_METHODS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.datasets.chains import Link

_DATASETS = ("tensorflow.data.Dataset", "tensorflow.data.TFRecordDataset")


def sure_datasets(names: Names, links: Iterable[Link]) -> frozenset[cst.Call]:
    """The calls among the links that surely give a dataset: by their source, by what only datasets have, or by what follows.

    Args:
        links: every call that may be one, each as it is seen from its own function.
    """
    known = tuple(links)
    roots = _roots(names)
    followers: dict[cst.Call, list[Link]] = {}
    for link in known:
        for before in link.inputs:
            if before is not None:
                followers.setdefault(before.node, []).append(link)
    found: set[cst.Call] = set()
    stack = [link for link in known if _is_evident(link, names, roots)]
    while stack:
        link = stack.pop()
        if link.node not in found:
            found.add(link.node)
            stack += [*_before(link), *followers.get(link.node, [])]
    return frozenset(found)


def _before(link: Link) -> Iterator[Link]:
    yield from (before for before in link.inputs if before is not None)
    for part in link.parts:
        yield from (end for end in part.links[-1:] or part.heads if end is not None)


def _roots(names: Names) -> frozenset[str]:
    """The packages that the file imports at its top level."""
    module = names.scopes.module
    origins = [binding.origin or "" for all_ in module.bindings.values() for binding in all_]
    origins += [star.origin or "" for star in module.stars]
    return frozenset(origin.partition(".")[0] for origin in origins)


def _is_evident(link: Link, names: Names, roots: frozenset[str]) -> bool:
    if not link.inputs or link.name == DISTRIBUTE or (link.name == "apply" and link.does):
        return True
    if roots.isdisjoint(("tensorflow", "keras", "tf_keras")):
        return False
    if link.name in TELLTALE_METHODS or not TELLTALE_KEYWORDS.isdisjoint(link.arguments):
        return True
    if any(names.qualified(a.value) == "tensorflow.data.AUTOTUNE" for a in link.arguments.values()):
        return True
    return _is_annotated(link.node, names) or (roots.isdisjoint(OTHERS) and _is_pair(link))


def _is_pair(link: Link) -> bool:
    """`batch` or `prefetch` right behind another method of a dataset, or before one."""
    pairs = ({link.name, before.name} for before in link.inputs if before is not None)
    return any(len(pair) > 1 and not pair.isdisjoint(("batch", "prefetch")) for pair in pairs)


def _is_annotated(call: cst.Call, names: Names) -> bool:
    """`def prepare(ds: tf.data.Dataset)`."""
    receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
    for binding in names.reaching(receiver) if isinstance(receiver, cst.Name) else ():
        annotation = binding.node.annotation if isinstance(binding.node, cst.Param) else None
        if annotation is not None and names.qualified(annotation.annotation) in _DATASETS:
            return True
    return False
