"""The names that one call of `compile` asks for, given the outputs of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.metrics.logged import ANYTHING, NOTHING, Logged, either, maybe, named, perhaps, prefixed, together

if TYPE_CHECKING:
    from seqlint.facts.flow.lists import Lists
    from seqlint.facts.metrics.compiles import Compile
    from seqlint.facts.metrics.metric_names import MetricNames
    from seqlint.facts.metrics.outputs import Outputs
    from seqlint.facts.values.values import Value, Values
    from seqlint.model import KerasLine

Slots = tuple["cst.BaseExpression | None", ...]
_WEIGHTED = "weighted_"


class Asked:
    """What `compile` calls ask for."""

    def __init__(self, values: Values, metric_names: MetricNames, lists: Lists) -> None:
        self._values = values
        self._names = metric_names
        self._lists = lists
        self._open: set[cst.BaseExpression] = (
            set()
        )  # the lists and dicts that are being unpacked: `metrics = [metrics]`

    def of(self, compiled: Compile, outputs: Outputs | None, line: KerasLine) -> Logged:
        """The names that a model with these outputs logs because of a `compile`, "loss" among them."""
        if compiled.unpacks:
            return together([named("loss"), ANYTHING])
        given = compiled.arguments(line)
        metrics, weighted = given.get("metrics"), given.get("weighted_metrics")
        if outputs is None:
            single = self._flat(metrics, weighted, line)
            several = maybe(together([prefixed("*_", single), single, perhaps("*_loss")]))
            return together([named("loss"), either([single, several])])
        if outputs.single:
            return together([named("loss"), self._flat(metrics, weighted, line)])
        found = [named("loss"), self._losses(given.get("loss"), outputs, line), self._each(metrics, outputs, line)]
        return together([*found, self._weighted_each(self._each(weighted, outputs, line), found[-1], outputs)])

    # -- one output -------------------------------------------------------------------------------------------------

    def _flat(self, metrics: Value, weighted: Value, line: KerasLine) -> Logged:
        """All metrics of a model with one output, in order, with what Keras does to a name that comes again."""
        seen: dict[str, int] = {}
        plain = self._numbered(self._all(metrics, line), seen, line, weighted=False)
        return together([plain, self._numbered(self._all(weighted, line), seen, line, weighted=True)])

    def _numbered(self, found: list[Logged], seen: dict[str, int], line: KerasLine, *, weighted: bool) -> Logged:
        parts: list[Logged] = []
        for logged in found:
            again = logged.names & seen.keys()
            if not again:
                parts.append(logged)
            elif weighted:
                parts.append(prefixed(_WEIGHTED, logged))
            else:
                parts.append(ANYTHING if line == "2" else named(*(f"{name}_{seen[name]}" for name in again)))
            for name in logged.names:
                seen[name] = seen.get(name, 0) + 1
        return together(parts)

    def _all(self, metrics: Value, line: KerasLine) -> list[Logged]:
        """Each metric of an argument, lists and dicts unpacked."""
        if metrics is None or self._is_nothing(metrics):
            return []
        value = self._values.only(metrics)
        here = metrics if value is None else value
        if here in self._open:
            return [ANYTHING]
        self._open.add(here)
        found = self._taken_apart(metrics, value, line)
        self._open.discard(here)
        return found

    def _taken_apart(self, metrics: cst.BaseExpression, value: Value, line: KerasLine) -> list[Logged]:
        if isinstance(value, cst.Dict):
            elements = [e for e in value.elements if isinstance(e, cst.DictElement)]
            rest = [ANYTHING] if len(elements) < len(value.elements) else []
            return [logged for element in elements for logged in self._all(element.value, line)] + rest
        if isinstance(value, (cst.Call, cst.SimpleString, cst.Lambda)) and not self._is_list(metrics):
            return [self._names.of(metrics, line)]
        found: list[Logged] = []
        for item in self._lists.items(metrics):
            inner = self._values.only(item.value) if item.value is not None else None
            if item.value is None:
                one = [ANYTHING]
            elif isinstance(inner, (cst.List, cst.Tuple, cst.Dict)):
                one = self._all(item.value, line)
            else:
                one = [self._names.of(item.value, line)]
            found += [maybe(logged) for logged in one] if item.conditions else one
        return found

    def _is_list(self, node: cst.BaseExpression) -> bool:
        """Whether an expression gives a list that can be followed: `["acc"] + extra`, `make_metrics()`."""
        items = self._lists.items(node)
        return bool(items) and all(item.value is not None and item.value is not node for item in items)

    def _is_nothing(self, node: cst.BaseExpression) -> bool:
        constant = self._values.constant(node)
        return constant is not None and constant.value is None

    # -- several outputs --------------------------------------------------------------------------------------------

    def _each(self, metrics: Value, outputs: Outputs, line: KerasLine) -> Logged:
        """The metrics of every output, under its name."""
        if metrics is None or self._is_nothing(metrics):
            return NOTHING
        slots = self._slots(metrics, outputs, line)
        if slots is None:
            return maybe(together(prefixed("*", logged) for logged in self._all(metrics, line)))
        found = []
        for name, slot in zip(outputs.names, slots, strict=True):
            mine = together(self._all(slot, line)) if slot is not None else NOTHING
            found.append(prefixed(f"{name}_", mine) if name else mine)
        every = together(found)
        if len(set(outputs.names)) == len(outputs.names):
            return every
        return perhaps(*(f"{name}#" for name in every.names | every.possible))  # the same layer twice

    def _slots(self, metrics: cst.BaseExpression, outputs: Outputs, line: KerasLine) -> Slots | None:
        """The metrics for each output; None where that can't be told, or Keras refuses it."""
        value = self._values.only(metrics)
        count = len(outputs.names)
        if isinstance(value, cst.Dict):
            return self._by_key(value, outputs)
        if isinstance(value, (cst.List, cst.Tuple)):
            elements = [element.value for element in value.elements]
            if any(isinstance(element, cst.StarredElement) for element in value.elements):
                return None
            nested = any(isinstance(self._values.only(e), (cst.List, cst.Tuple, cst.Dict)) for e in elements)
            if line == "2" and not nested:
                return (metrics,) * count
            return tuple(elements) if len(elements) == count else None
        return (metrics,) * count if line == "2" and isinstance(value, (cst.SimpleString, cst.Call)) else None

    def _by_key(self, value: cst.Dict, outputs: Outputs) -> Slots | None:
        given: dict[object, cst.BaseExpression] = {}
        for element in value.elements:
            key = self._values.constant(element.key) if isinstance(element, cst.DictElement) else None
            if key is None or key.value not in outputs.names:
                return None
            given[key.value] = element.value
        return tuple(given.get(name) for name in outputs.names)

    def _weighted_each(self, weighted: Logged, plain: Logged, outputs: Outputs) -> Logged:
        """A weighted metric with the name of another one is "<output>_weighted_<metric>"."""
        again = weighted.names & plain.names
        renamed = [
            name.replace(f"{output}_", f"{output}_{_WEIGHTED}", 1)
            for name in again
            for output in outputs.names
            if output and name.startswith(f"{output}_")
        ]
        return Logged(weighted.names - again | frozenset(renamed), weighted.possible, weighted.bounded)

    def _losses(self, loss: Value, outputs: Outputs, line: KerasLine) -> Logged:
        """ "<output>_loss" of each output that has a loss."""
        names = [f"{name}_loss" if name else "*_loss" for name in outputs.names]
        every = together(prefixed("", perhaps(n) if {"#", "*"} & set(n) else named(n)) for n in names)
        if line == "3.0-3.9":
            return maybe(every)
        having = self._having(loss, outputs)
        if having is None:
            return maybe(every)
        if line != "2" and sum(having) < 2:
            return NOTHING
        kept = [name for name, has in zip(names, having, strict=True) if has]
        return together(perhaps(name) if {"#", "*"} & set(name) else named(name) for name in kept)

    def _having(self, loss: Value, outputs: Outputs) -> list[bool] | None:
        """Which outputs have a loss; None where that can't be told."""
        if loss is None:
            return [False] * len(outputs.names)
        value = self._values.only(loss)
        if isinstance(value, (cst.List, cst.Tuple)) and len(value.elements) == len(outputs.names):
            return [not self._is_nothing(element.value) for element in value.elements]
        if isinstance(value, cst.Dict):
            slots = self._by_key(value, outputs)
            return [slot is not None and not self._is_nothing(slot) for slot in slots] if slots is not None else None
        plain = isinstance(value, (cst.SimpleString, cst.Call, cst.Lambda, cst.Name, cst.Attribute))
        return [True] * len(outputs.names) if plain else None
