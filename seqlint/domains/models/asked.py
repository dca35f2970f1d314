"""The names that one call of `compile` asks for, given the outputs of the model.

Measured with small fits on Keras 3.15.1, Keras 3.3.3 and tf-keras 2.21:

- "loss" is always there, also when only `add_loss` gives one, unless the model has a `train_step` of its own.
- With one output its name is not used. With several, metrics are "<output>_<metric>". On Keras 2 a flat list goes to every output;
  on Keras 3 it is one for each, and another length is an error. On Keras 3 the outputs of a subclassed model that returns a tuple
  have no names, and their metrics no prefix; on Keras 2 they are "output_1", "output_2".
- "<output>_loss" comes with several losses: on Keras 2 for each output that has one, on Keras 3.15 if there are at least two, on
  Keras 3.3 never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.models.logged import (
    ANYTHING,
    NOTHING,
    Logged,
    either,
    maybe,
    named,
    perhaps,
    prefixed,
    together,
)
from seqlint.domains.models.metric_names import MetricNames
from seqlint.domains.values.held import held, options
from seqlint.run import Constant, Container, Tuple, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.models.compiles import Compiled
    from seqlint.domains.models.outputs import Outputs
    from seqlint.model import KerasLine
    from seqlint.run import Object, Run, Value
    from seqlint.run.objects import Guards, Option

Slots = tuple["Value | None", ...]
_WEIGHTED = "weighted_"
_DEEPEST = 3


class Asked:
    """What one `compile` asks for on a line of Keras, where conditions hold."""

    def __init__(self, run: Run, compiled: Compiled, line: KerasLine, way: Guards) -> None:
        self._run = run
        self._names = run.domain(MetricNames)
        self._compiled = compiled
        self._line = line
        self._way = way | compiled.guards
        self._clock = compiled.call.context.clock
        self._open: set[object] = set()  # what is being unpacked: `metrics = [metrics]`

    def names(self, outputs: Outputs | None) -> Logged:
        """The names that a model with these outputs logs, "loss" among them."""
        if self._compiled.hides_arguments:
            return together([named("loss"), ANYTHING])
        given = self._compiled.arguments(self._line)
        metrics, weighted = given.get("metrics"), given.get("weighted_metrics")
        if outputs is None:
            single = self._flat(metrics, weighted)
            several = maybe(together([prefixed("*_", single), single, perhaps("*_loss")]))
            return together([named("loss"), either([single, several])])
        if outputs.single:
            return together([named("loss"), self._flat(metrics, weighted)])
        found = [named("loss"), self._losses(given.get("loss"), outputs), self._each(metrics, outputs)]
        return together([*found, _weighted_each(self._each(weighted, outputs), found[-1], outputs)])

    @property
    def metrics(self) -> tuple[Object, ...]:
        """Every metric that is asked for, for whichever output."""
        given = self._compiled.arguments(self._line)
        found: list[Object] = []
        for name in ("metrics", "weighted_metrics"):
            if name in given:
                found += self._objects(given[name], _DEEPEST)
        return tuple(found)

    def _objects(self, value: Value, depth: int) -> Iterator[Object]:
        for item in held(self._run, value, self._way, self._clock).items:
            each = item.object
            if not isinstance(each, (Container, Tuple)):
                yield each
            elif depth:
                for inner in self._inside(each):
                    yield from self._objects(inner, depth - 1) if inner is not None else ()

    # -- one output -------------------------------------------------------------------------------------------------

    def _flat(self, metrics: Value | None, weighted: Value | None) -> Logged:
        """All metrics of a model with one output, in order, with what Keras does to a name that comes again."""
        seen: dict[str, int] = {}
        plain = self._numbered(self._all(metrics), seen, weighted=False)
        return together([plain, self._numbered(self._all(weighted), seen, weighted=True)])

    def _numbered(self, found: list[Logged], seen: dict[str, int], *, weighted: bool) -> Logged:
        parts: list[Logged] = []
        for logged in found:
            again = logged.names & seen.keys()
            if not again:
                parts.append(logged)
            elif weighted:
                parts.append(prefixed(_WEIGHTED, logged))
            else:
                parts.append(ANYTHING if self._line == "2" else named(*(f"{name}_{seen[name]}" for name in again)))
            for name in logged.names:
                seen[name] = seen.get(name, 0) + 1
        return together(parts)

    def _all(self, metrics: Value | None) -> list[Logged]:
        """Each metric of an argument, lists and dicts unpacked. Alternatives of one value are none of them sure."""
        if metrics is None:
            return []
        whole = held(self._run, metrics, self._way, self._clock)
        found = [] if whole.complete else [ANYTHING]
        for item in whole.items:
            one = self._one(item)
            found += [maybe(logged) for logged in one] if item.guards else one
        return found

    def _one(self, item: Option) -> list[Logged]:
        each = item.object
        if not isinstance(each, (Container, Tuple)):
            return [self._names.of(each, self._line)]
        if each in self._open:
            return [ANYTHING]
        self._open.add(each)
        inner = [value for value in self._inside(each) if value is not None]
        found = [logged for value in inner for logged in self._all(value)]
        self._open.discard(each)
        return found if self._is_known(each) else [*found, ANYTHING]

    def _inside(self, each: Container | Tuple) -> list[Value | None]:
        items = self._run.items(each) or []
        if isinstance(each, Container) and each.kind == "dict":
            return [self._run.at_key(each, constant(key)) for key in items]
        return list(items)

    def _is_known(self, each: Container | Tuple) -> bool:
        return self._run.items(each) is not None and None not in self._inside(each)

    # -- several outputs --------------------------------------------------------------------------------------------

    def _each(self, metrics: Value | None, outputs: Outputs) -> Logged:
        """The metrics of every output, under its name."""
        if metrics is None or constant(metrics) is None:
            return NOTHING
        slots = self._slots(metrics, outputs)
        if slots is None:
            return maybe(together(prefixed("*", logged) for logged in self._all(metrics)))
        found = []
        for name, slot in zip(outputs.names, slots, strict=True):
            mine = together(self._all(slot)) if slot is not None else NOTHING
            found.append(prefixed(f"{name}_", mine) if name else mine)
        every = together(found)
        if len(set(outputs.names)) == len(outputs.names):
            return every
        again = perhaps(*(f"{name}#" for name in every.names | every.possible))  # the same layer twice
        return Logged(again.names, again.possible, every.bounded)

    def _slots(self, metrics: Value, outputs: Outputs) -> Slots | None:
        """The metrics for each output; None where that can't be told, or Keras refuses it."""
        only, count = metrics.only, len(outputs.names)
        if isinstance(only, Container) and only.kind == "dict":
            return self._by_key(only, outputs)
        if isinstance(only, (Container, Tuple)):
            items = self._run.items(only)
            if items is None:
                return None
            nested = any(isinstance(each, (Container, Tuple)) for item in items for each in item)
            if self._line == "2" and not nested:
                return (metrics,) * count
            return tuple(items) if len(items) == count else None
        return (metrics,) * count if self._line == "2" and isinstance(only, Constant) else None

    def _by_key(self, found: Container, outputs: Outputs) -> Slots | None:
        keys = self._run.items(found)
        names = [constant(key) for key in keys] if keys is not None else [...]
        if not set(names) <= set(outputs.names):
            return None
        return tuple(self._run.at_key(found, name) if name in names else None for name in outputs.names)

    def _losses(self, loss: Value | None, outputs: Outputs) -> Logged:
        """ "<output>_loss" of each output that has a loss."""
        names = [f"{name}_loss" if name else "*_loss" for name in outputs.names]
        having = self._having(loss, outputs)
        if self._line == "3.0-3.9" or having is None:
            return maybe(together(_sure(name) for name in names))
        if self._line != "2" and sum(having) < 2:
            return NOTHING
        return together(_sure(name) for name, has in zip(names, having, strict=True) if has)

    def _having(self, loss: Value | None, outputs: Outputs) -> list[bool] | None:
        """Which outputs have a loss; None where that can't be told."""
        if loss is None:
            return [False] * len(outputs.names)
        known = options(loss, self._way)
        only = known[0].object if len(known) == 1 else None
        if isinstance(only, Container) and only.kind == "dict":
            slots = self._by_key(only, outputs)
            return [slot is not None and constant(slot) is not None for slot in slots] if slots is not None else None
        if isinstance(only, (Container, Tuple)):
            items = self._run.items(only) or []
            return [constant(item) is not None for item in items] if len(items) == len(outputs.names) else None
        return [True] * len(outputs.names) if only is not None else None


def _sure(name: str) -> Logged:
    return perhaps(name) if {"#", "*"} & set(name) else named(name)


def _weighted_each(weighted: Logged, plain: Logged, outputs: Outputs) -> Logged:
    """A weighted metric with the name of another one is "<output>_weighted_<metric>"."""
    again = weighted.names & plain.names
    renamed = [
        name.replace(f"{output}_", f"{output}_{_WEIGHTED}", 1)
        for name in again
        for output in outputs.names
        if output and name.startswith(f"{output}_")
    ]
    return Logged(weighted.names - again | frozenset(renamed), weighted.possible, weighted.bounded)
