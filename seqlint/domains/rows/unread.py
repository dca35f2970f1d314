"""Orders that an epoch hook draws, and that no batch has: what is moved is followed to all that uses it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.rows.pairs import Pairs
from seqlint.domains.rows.terms import identity, is_slice, within
from seqlint.domains.values.random import Draws
from seqlint.knowledge.orders import COPIES, MEASURES, PERMUTED, VIEWING_ATTRIBUTES, VIEWS, moves_in_place
from seqlint.run import Container, Instance, Result, Tuple
from seqlint.run.attributes import is_known

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from seqlint.run import Batch, Call, Object, Run, Value

Key = tuple[object, ...]
_HOOKS = frozenset({"on_epoch_end", "on_epoch_begin"})
_DRAWN = PERMUTED | {"sklearn.utils.shuffle", "random.sample", ".sample", "pandas.DataFrame.sample"}
_SAYS = frozenset({"builtins.print", "builtins.isinstance", "builtins.hasattr", "builtins.id", "builtins.type"})
_TELLS = _SAYS | MEASURES
_PURE = frozenset({"numpy", "builtins", "keras", "tensorflow", "math", "random", "sklearn", "pandas", "logging"})
"""Libraries whose functions keep nothing that they get."""
_KEPT = COPIES | {"itertools.cycle", "builtins.sorted", "builtins.set", "builtins.dict", "builtins.enumerate"}


@dataclass(frozen=True, eq=False)
class Unread:
    """A hook of a Sequence that draws an order, and changes no batch.

    Attributes:
        place: where a reader of this file sees the first draw of the hook.
        name: what is moved: "self.indexes", or a variable of the hook.
        through_cycle: whether the batches come from an `itertools.cycle` over it.
        others: whether another method shuffles something.
    """

    source: Instance
    hook: str
    place: ast.AST
    name: str
    through_cycle: bool
    others: bool

    @property
    def attribute(self) -> str:
        """Its name without `self`; empty for a variable of the hook."""
        return self.name[5:] if self.name.startswith("self.") else ""


class UnreadOrders:
    """The orders of a run that no batch has."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._draws = run.domain(Draws)
        self._places = run.domain(Pairs).places
        self._lists = {None, *run.machine.made_in}

    @cached_property
    def all(self) -> tuple[Unread, ...]:
        """One for each place, where the hook is of no effect for all Sequences that have it."""
        if not self._run.complete or not self._draws.any:
            return ()
        judged: dict[ast.AST, list[Unread | None]] = {}
        for batch in {each.source: each for each in self._run.batches if each.source is not None}.values():
            for hook in sorted(_HOOKS):
                moves = self._moves(batch, hook)
                if moves:
                    place = self._run.place(moves[0])
                    found = self._judged(batch, hook, moves, place) if place is not None else None
                    judged.setdefault(place or moves[0].node, []).append(found)
        return tuple(each[0] for each in judged.values() if each[0] is not None and None not in each)

    def _moves(self, batch: Batch, hook: str) -> list[Call]:
        """The calls that draw an order in the hook of a Sequence, called by Keras before a batch."""
        assert batch.source is not None
        first = self._run.machine.started.get(batch.source.serial, 0)
        return [
            call
            for call in self._run.calls
            if self._draws.of(call.result) is not None
            and (moves_in_place(call.name) or call.name in _DRAWN)
            and first < call.context.clock < batch.context.clock
            and any(phase in self._phases(batch.source, hook) for phase in call.context.phases)
        ]

    def _phases(self, source: Instance, hook: str) -> list[object]:
        return [phase for phase in self._run.machine.phases_of.get(source.serial, ()) if phase.method == hook]

    def _judged(self, batch: Batch, hook: str, moves: list[Call], place: ast.AST) -> Unread | None:
        source = batch.source
        assert source is not None
        if not is_known(source.cls) or not self._is_made_here(batch) or self._is_handed_on(source):
            return None
        used = [self._targets(call) for call in moves]
        if any(not targets or self._reaches(targets, call, batch) for targets, call in zip(used, moves, strict=True)):
            return None
        named = [name for targets in used for each in targets for name in self._names(each, source)]
        if not named or (not named[0].startswith("self.") and _is_in_helper(moves[0])):
            return None
        cycled = any(user.name == "itertools.cycle" for each in used[0] for user in self._users.get(identity(each), ()))
        return Unread(source, hook, place, named[0], cycled, self._others(source, hook))

    # -- the Sequence -----------------------------------------------------------------------------------------------

    def _is_made_here(self, batch: Batch) -> bool:
        """Whether the batch is known, and draws no rows itself."""
        if not [each for each in batch.value if getattr(each, "value", ...) is not None]:
            return False
        assert batch.source is not None
        getting = self._phases(batch.source, "__getitem__")
        inside = (call for call in self._run.calls if any(phase in getting for phase in call.context.phases))
        return not any(self._draws.of(call.result) is not None or call.result.method in _RANDOM for call in inside)

    def _is_handed_on(self, source: Instance) -> bool:
        """Whether code that is not seen gets the Sequence, and may read its order."""
        for call in self._run.calls:
            given = [*call.result.args, *(value for _, value in call.result.keywords)]
            known = call.name in _TELLS or call.result.method in _READERS
            if not known and any(each is source for value in given for each in value):
                return True
        return any(
            each.op == "attribute" and each.name == "__dict__" and each.receiver is source for each in self._run.results
        )

    def _others(self, source: Instance, hook: str) -> bool:
        """Whether another method that runs while the model is trained shuffles."""
        own = self._run.machine.phases_of.get(source.serial, ())
        others = [phase for phase in own if phase.method != hook]
        return any(
            self._draws.of(call.result) is not None
            and (call.context.phase.kind == "entry" or any(p in others for p in call.context.phases))
            for call in self._run.calls
        )

    # -- what is moved ----------------------------------------------------------------------------------------------

    def _targets(self, call: Call) -> list[Result | Container]:
        if not moves_in_place(call.name):
            return [call.result]
        found = call.result.args[0] if call.result.args else ()
        if self._places.get(identity(call.result)):
            return []  # `x = np.random.shuffle(x)`: it holds None
        return [each for each in found if isinstance(each, (Result, Container))]

    def _names(self, target: Result | Container, source: Instance) -> Iterator[str]:
        """The attribute or variable that holds what is moved, or what is made from it."""
        for each in (target, *self._users.get(identity(target), ())):
            held = [(owner, name) for owner, name in self._places.get(identity(each), ()) if owner not in self._lists]
            names = [f"self.{name}" if owner == source.serial else name for owner, name in held]
            yield from sorted(names, key=lambda name: not name.startswith("self."))

    # -- who uses it ------------------------------------------------------------------------------------------------

    @cached_property
    def _users(self) -> dict[Key, list[Result]]:
        """What is made from each object."""
        found: dict[Key, list[Result]] = {}
        for made in self._run.results:
            for each in _parts(made):
                found.setdefault(identity(each), []).append(made)
        return found

    def _reaches(self, targets: list[Result | Container], call: Call, batch: Batch) -> bool:
        """Whether what a call has moved is in a batch, or anywhere that is not followed."""
        in_place = moves_in_place(call.name)
        assert batch.source is not None
        started = self._run.machine.started.get(batch.source.serial, 0)
        inside = self._inside(batch.value, call.context.clock if in_place else 0)
        made = {identity(each) for each in inside if isinstance(each, (Result, Container))}
        window = (self._run.machine.phases_of[batch.source.serial][0].clock, batch.context.clock)
        waiting: list[tuple[Result | Container, bool]] = [(each, in_place) for each in targets]
        seen: set[Key] = set()
        while waiting:
            here, moved = waiting.pop()
            own = identity(here)
            if own in seen:
                continue
            seen.add(own)
            if own in made or own in self._stored or self._chosen.get(own, 0) > started:
                return True
            waiting.extend((each, False) for each in self._holders.get(own, ()))
            for user in self._users.get(own, ()):
                if moves_in_place(user.name) or user.name in _TELLS or user.method in MEASURES:
                    continue
                shows = _is_view(user, here)
                if moved and user.clock < started and not shows:
                    if user.op == "call" and not _is_copy(user):
                        return True
                    continue
                if _is_use(user, here) or not (user.clock < started or window[0] <= user.clock <= window[1]):
                    return True
                waiting.append((user, moved and shows))
        return False

    @cached_property
    def _holders(self) -> dict[Key, list[Container]]:
        """The lists and dicts that hold each object."""
        containers = {each.serial: each for each in self._run.machine.containers}
        found: dict[Key, list[Container]] = {}
        for key, places in self._places.items():
            found[key] = [containers[owner] for owner, _ in places if owner in containers]
        for serial, container in containers.items():
            for piece in self._run.machine.pieces.get(serial, ()):
                for each in piece.value:
                    if isinstance(each, (Result, Container)):
                        found.setdefault(identity(each), []).append(container)
        return found

    @cached_property
    def _chosen(self) -> dict[Key, int]:
        """When each object last chose an item of a list."""
        reads = (read for read in self._run.reads if read.kind in ("index", "key"))
        return {identity(each): read.context.clock for read in reads for each in read.value if isinstance(each, Result)}

    @cached_property
    def _stored(self) -> frozenset[Key]:
        """What objects that are not of the program hold."""
        stores = (each for each in self._run.stores if isinstance(each.owner, Result))
        values = (each for store in stores for each in store.value if isinstance(each, (Result, Container)))
        return frozenset(identity(each) for each in values)

    def _inside(self, value: Value, moved: int) -> Iterator[Object]:
        """The objects of a value, and those that it is made from; what was copied before a move does not show it."""
        waiting: list[Object] = list(value)
        seen: set[int] = set()
        while waiting:
            here = waiting.pop()
            if id(here) in seen:
                continue
            seen.add(id(here))
            yield here
            if isinstance(here, Container):
                held = [*(self._run.items(here) or ()), *(piece.value for piece in self._run.pieces(here))]
                keys = [self._run.at_key(here, key.constant) for key in held] if here.kind == "dict" else []
                waiting.extend(each for item in (*held, *keys) if item is not None for each in item)
            elif isinstance(here, Tuple):
                waiting.extend(each for item in here.items for each in item)
            elif isinstance(here, Result) and here.name not in MEASURES:
                copied = here.op == "call" and here.clock < moved and _is_copy(here)
                waiting.extend(_parts(here) if not copied else ())


_RANDOM = frozenset({"choice", "choices", "randint", "randrange", "integers", "sample", "permutation", "shuffle"})
_READERS = (
    frozenset({"fit", "evaluate", "predict", "fit_generator", "evaluate_generator", "predict_generator", "__init__"})
    | _HOOKS
)


def _parts(made: Result) -> Iterator[Result | Container]:
    values = [*made.args, *(value for _, value in made.keywords)]
    found = [each for value in values for each in within(value)]
    if made.receiver is not None:
        found.append(made.receiver)
    return (each for each in found if isinstance(each, (Result, Container)))


def _is_use(user: Result, here: Object) -> bool:
    """Whether a call may keep or show what it gets."""
    if user.op != "call" or user.receiver is here:
        return False
    return user.name == "setitem" or user.receiver is not None or user.name.partition(".")[0] not in _PURE


def _is_copy(made: Result) -> bool:
    return made.name in _KEPT or made.name.partition(".")[0] in _PURE


def _is_in_helper(call: Call) -> bool:
    """Whether a call is made in a function that the hook calls."""
    phase = next(each for each in call.context.phases if each.method in _HOOKS)
    return len(call.context.stack) > phase.depth


def _is_view(user: Result, here: Object) -> bool:
    """Whether a later move in place reaches what was made from the rows before it."""
    if user.op == "call":
        return user.name in VIEWS
    if user.op == "attribute":
        return user.receiver is here and user.method in VIEWING_ATTRIBUTES
    return user.op == "item" and user.receiver is here and is_slice(user.args[0])
