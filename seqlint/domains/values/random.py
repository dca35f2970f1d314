"""What each random draw of a run draws from: which generator, from which seed, after how many draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from seqlint.knowledge.orders import GENERATORS, SEEDED_BY, SEEDS, STATES
from seqlint.run import Call, Constant, Container, Result

if TYPE_CHECKING:
    from seqlint.run import Object, Run, Store, Value

Key = tuple[object, ...]
_PLACES = {"keras.random.shuffle": 2, "tensorflow.random.experimental.stateless_shuffle": 1}
"""Where a seed is given without its name."""
_OF_NUMPY = frozenset(
    {"sklearn.utils.shuffle", "sklearn.model_selection.train_test_split", ".sample", "pandas.DataFrame.sample"}
)
_NO_DRAW = frozenset(
    {"default_rng", "RandomState", "Generator", "get_state", "getstate", "Random", "SystemRandom", "SeedSequence"}
)


@dataclass(frozen=True)
class Draw:
    """One random draw. Two with the same state, count and way draw the same, as long as they draw for as many rows.

    Attributes:
        state: the generator and the seed that it comes from.
        count: draws since that seed.
        how: the function that draws.
        sure: whether the seed is known, so that another seed surely draws otherwise.
    """

    state: Key
    count: int
    how: str
    sure: bool
    call: Call = field(compare=False)

    def compared(self, other: Draw) -> Literal["same", "different", "unsure"]:
        """Whether two draws give the same order."""
        if (self.state, self.count) == (other.state, other.count):
            return "same" if self.how == other.how else "unsure"
        return "different" if self.sure and other.sure else "unsure"


class Draws:
    """The draws of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._states: dict[Key, tuple[Key, bool]] = {}
        self._counts: dict[Key, int] = {}

    def of(self, result: Result) -> Draw | None:
        """The draw of a call; None where it draws nothing that is followed."""
        return self._all.get(result)

    @property
    def results(self) -> tuple[Result, ...]:
        """All that is drawn."""
        return tuple(self._all)

    @property
    def any(self) -> bool:
        """Whether anything is drawn."""
        return bool(self._all)

    @cached_property
    def _all(self) -> dict[Result, Draw]:
        found: dict[Result, Draw] = {}
        events: list[Call | Store] = [*self._run.calls, *(each for each in self._run.stores if each.name == "state")]
        for event in sorted(events, key=attrgetter("context.clock")):
            if not isinstance(event, Call):
                self._stored(event)
                continue
            draw = None if self._resets(event.result) else self._drawn(event)
            if draw is not None:
                found[event.result] = draw
        return found

    # -- seeds ------------------------------------------------------------------------------------------------------

    def _stored(self, event: Store) -> None:
        """`rng.bit_generator.state = saved`."""
        owner = event.owner
        if isinstance(owner, Result) and owner.receiver is not None:
            self._set(_identity(owner.receiver), ("state", event.value.term), sure=False)

    def _resets(self, call: Result) -> bool:
        name = call.name
        if name in STATES:
            self._set((STATES[name],), ("state", call.serial), sure=False)
            return True
        if name in SEEDS:
            given = call.args[0] if call.args else call.keyword("seed") or call.keyword("a")
            for library in SEEDS[name]:
                self._set((library,), *_seeded(library, given, call))
            return True
        last = name.rpartition(".")[2].lower()
        if call.receiver is not None and last in ("seed", "setstate", "set_state"):
            given = call.args[0] if call.args else None
            self._set(_identity(call.receiver), *_seeded(type(call.receiver).__name__, given, call))
            return True
        if ("seed" in last or "state" in last) and not name.startswith(
            ("tensorflow.", "keras.random.", "numpy.", "sklearn.")
        ):
            for library in ("random", "numpy.random"):
                self._set((library,), ("maybe", call.term), sure=False)
            return True
        return False

    def _set(self, generator: Key, state: Key, sure: bool) -> None:
        self._states[generator] = (state, sure)
        self._counts[generator] = 0

    # -- draws ------------------------------------------------------------------------------------------------------

    def _drawn(self, event: Call) -> Draw | None:
        call = event.result
        name = call.name
        if name in SEEDED_BY or name == "tensorflow.random.experimental.stateless_shuffle":
            seed = _seed_of(call)
            if seed is not None and not (isinstance(seed.only, Constant) and seed.only.value is None):
                return self._by_seed(event, name, seed)
        if name in _OF_NUMPY:
            return self._next(("numpy.random",), event, name)
        home, _, last = name.rpartition(".")
        if call.receiver is not None:
            return self._of_object(event, call.receiver, last)
        if (
            home in ("random", "numpy.random", "keras.random", "tensorflow.random")
            and last not in _NO_DRAW
            and last[:1].islower()
        ):
            return self._next((home,), event, _way(home, last))
        return None

    def _by_seed(self, event: Call, name: str, seed: Value) -> Draw:
        only = seed.only
        if isinstance(only, Result) and only.op == "call" and only.name in GENERATORS:
            return self._next(self._generator(only), event, name)
        key, sure = _seeded(name, seed, event.result)
        return Draw(key, 0, name, sure, event)

    def _of_object(self, event: Call, receiver: Object, last: str) -> Draw | None:
        if not isinstance(receiver, Result):
            return None
        known = receiver.op == "call" and receiver.name in GENERATORS
        if not known and last != "shuffle":
            return None
        return self._next(self._generator(receiver), event, _way(receiver.name, last))

    def _generator(self, made: Result) -> Key:
        """Where the state of a generator object is kept; at its first draw it is that of its seed."""
        own = _identity(made)
        if own not in self._states:
            if made.op != "call" or made.name not in GENERATORS:
                self._set(own, ("object", made.term), sure=False)
            else:
                seed = made.args[0] if made.args else made.keyword("seed") or made.keyword("x")
                self._set(own, *_seeded(made.name, seed, made))
        return own

    def _next(self, generator: Key, event: Call, how: str) -> Draw:
        state, sure = self._states.get(generator, (("unseeded", *generator), True))
        count = self._counts.get(generator, 0)
        self._counts[generator] = count + 1
        return Draw(state, count, how, sure, event)


def _way(home: str, last: str) -> str:
    legacy = home.endswith(("numpy.random", "RandomState")) and last in ("shuffle", "permutation")
    return f"{home}.shuffle" if legacy else f"{home}.{last}"


def _identity(found: Object) -> Key:
    return ("call", found.serial) if isinstance(found, Result) and found.op == "call" else ("term", found.term)


def _seed_of(call: Result) -> Value | None:
    given = call.keyword(SEEDED_BY.get(call.name, "seed"))
    place = _PLACES.get(call.name, -1)
    return call.args[place] if given is None and 0 <= place < len(call.args) else given


def _seeded(home: str, seed: Value | None, call: Result) -> tuple[Key, bool]:
    """The state after a seed, and whether another seed surely gives another one."""
    if seed is None or (isinstance(seed.only, Constant) and seed.only.value is None):
        return ("fresh", home, call.serial), True
    only = seed.only
    if isinstance(only, Constant):
        return ("seed", home, repr(only.value)), True
    if isinstance(only, Result) and only.op == "call" and only.name in STATES:
        return ("state", only.serial), False
    if isinstance(only, Container):
        return ("seed", home, "a list"), False
    return ("seed", home, seed.term), False
