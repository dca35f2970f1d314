"""Worker processes that only work where they are forked, as on Linux.

## Why
macOS, Windows, and Linux from Python 3.14 on do not fork: they start a new Python for each worker, which imports the script and
unpickles the Sequence. A script that trains when it is imported trains again in each worker, or waits for ever. A lambda or a generator
can't be pickled at all.

## Measured
- Keras 3: with the start method "spawn" a script without `if __name__ == "__main__":` hangs for more than 40 seconds; a lambda on `self` ends
  `fit` with UnknownError, "AttributeError: Can't pickle local object" inside.
- Keras 2: with "spawn" both hang.
- Every Keras: with "fork" lambdas, generators, locks and models on `self` all work.

## Do this
Put what the script does under `if __name__ == "__main__":`, and use named functions at the top level in place of lambdas. Or use
threads: `workers=4` alone. The guard is a safe fix where it moves at most a dozen lines of a file that no other file imports: an
import no longer gets the names in it.

## Silent when
The Sequence is not loaded in processes; the code is a notebook's; nothing in the file trains on the Sequence.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    ClassFacts,
    Constant,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    TrainerCall,
    a_sequence,
    any_of,
    cst,
    either,
    if_in_processes,
    is_small,
    main_guard,
)

_SONGS = """
import keras
import numpy as np


class Songs(keras.utils.PyDataset):
    def __init__(self, songs, **kwargs):
        super().__init__(**kwargs)
        self.songs = songs

    def __len__(self):
        return len(self.songs)

    def __getitem__(self, index):
        return self.songs[index], self.songs[index, :, :1]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
# Four songs of two bars.
songs = Songs(np.ones((4, 2, 3), "float32"), workers=2, use_multiprocessing=True)
model.fit(songs, epochs=1, verbose=0)
"""
_GUARDED = (
    _SONGS[: _SONGS.index("model =")]
    + """\
if __name__ == "__main__":
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    # Four songs of two bars.
    songs = Songs(np.ones((4, 2, 3), "float32"), workers=2, use_multiprocessing=True)
    model.fit(songs, epochs=1, verbose=0)
"""
)

_FOR_ITS_AUTHOR = Contract(changes=frozenset({"errors"}))
"""Whoever imports a name that the script makes under the guard fails."""
_MANY = "".join(f"print({number})\n" for number in range(12))

RULE = Rule(
    code="SEQ227",
    name="spawn-unsafe",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(),
    needs=(either(a_sequence, any_of("use_multiprocessing")),),
    examples=(
        Example(_SONGS, _GUARDED),
        Example(
            _SONGS + _MANY,
            _GUARDED + "".join(f"    {line}\n" for line in _MANY.splitlines()),
            contract=_FOR_ITS_AUTHOR,
        ),
        Example(
            _GUARDED.replace("self.songs = songs", "self.songs = songs\n        self.change = lambda song: song * 2")
        ),
        Example.ok(_GUARDED),
        Example.ok(_SONGS.replace(", use_multiprocessing=True", "")),
        Example.where_unknown(_SONGS.replace("use_multiprocessing=True", "use_multiprocessing=choose()")),
    ),
    sources=("keras-team/keras#13220",),
)


def check(facts: Facts) -> Iterator[Finding]:
    if facts.source.notebook is not None:
        return
    for call in facts.training.calls:
        answer = facts.loading.of_call(call) if facts.evidence.model(call) == "yes" else "no"
        statement = facts.main.at_import(call.node) if answer != "no" else None
        if statement is not None:
            finding = _unguarded(facts, call, statement)
            yield finding if answer == "yes" else finding.provided("`use_multiprocessing` is on", RULE.levels)
            break  # one guard does for all
    yield from _held(facts)


def _held(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for owner in facts.sequences:
        held = _unpicklable(facts, owner)
        if held is None or held in seen or facts.loading.processes(owner) == "no" or _is_beside(facts, owner, held):
            continue
        seen.add(held)
        kind, remedy, reason = _KINDS[type(held)]
        message = f"a {kind} is sent to worker processes with an instance of `{owner.name}`"
        finding = facts.finding(held, message, _PICKLED, remedy)
        yield if_in_processes(facts, owner, finding.unfixed(reason), RULE.levels)


def _is_beside(facts: Facts, owner: ClassFacts, held: cst.CSTNode) -> bool:
    """Whether a lambda is given to one instance, and processes to others, each where it is made."""
    makers = facts.training.instances(owner)
    mine = next((maker for maker in makers if facts.tree.holds(maker, held)), None)
    if mine is None or any(argument.star for argument in mine.args):
        return False
    settings = facts.loading.settings(owner, "use_multiprocessing")
    places = [facts.tree.parents[setting.node] for setting in settings if setting.on != "no"]
    return bool(places) and all(place in makers and place is not mine for place in places)


_KINDS: dict[type[cst.CSTNode], tuple[str, str, str]] = {
    cst.Lambda: ("lambda", "use a named function at the top level", "the function needs a name of your choice"),
    cst.GeneratorExp: ("generator", "use a list in its place", "a list may need more memory than the generator"),
}
_PICKLED = "where processes are spawned (macOS, Windows, Python 3.14) it can't be pickled"
_AGAIN = (
    "where processes are spawned (macOS, Windows, Python 3.14) each one imports the script and trains, and `fit` hangs"
)


def _unguarded(facts: Facts, call: TrainerCall, statement: cst.CSTNode) -> Finding:
    message = 'the script trains with worker processes outside of `if __name__ == "__main__":`'
    finding = facts.finding(call.node, message, _AGAIN)
    if edits := main_guard(facts, statement):
        contract = None if is_small(facts, edits) else _FOR_ITS_AUTHOR
        return finding.fixed_by('Put the training under `if __name__ == "__main__":`', *edits, contract=contract)
    reason = "definitions or imports follow the training, or a text of several lines would be indented"
    return but(finding, help='put the training under `if __name__ == "__main__":`', no_fix=reason)


def _held_values(facts: Facts, node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, ...]:
    """What an attribute can hold; of `scale or (lambda row: row)` also the second where the first may be None."""
    values = facts.values.of(node)
    for value in values:
        if isinstance(value, cst.BooleanOperation) and isinstance(value.operator, cst.Or):
            given = facts.values.of(value.left)
            empty = any(one is None or facts.values.constant(one) == Constant(None) for one in given)
            values += (*given, *(facts.values.of(value.right) if empty else ()))
    return values


def _with_parts(facts: Facts, node: cst.BaseExpression, steps: int = 3) -> tuple[cst.BaseExpression | None, ...]:
    """What an attribute can hold, and what that is made of: `[lambda row: row]`, `{"flip": flip}`, `partial(lambda row: row)`."""
    values = _held_values(facts, node)
    parts = [part for value in values if value is not None and steps for part in _parts(facts, value)]
    return (*values, *(inner for part in parts for inner in _with_parts(facts, part, steps - 1)))


def _parts(facts: Facts, value: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    if isinstance(value, (cst.List, cst.Tuple, cst.Set, cst.Dict)):
        return tuple(element.value for element in value.elements)
    partial = isinstance(value, cst.Call) and facts.qualified(value.func) == "functools.partial"
    return tuple(argument.value for argument in value.args) if isinstance(value, cst.Call) and partial else ()


def _unpicklable(facts: Facts, owner: ClassFacts) -> cst.BaseExpression | None:
    """A lambda or generator that an attribute holds."""
    for _, touch in facts.attributes.on(owner, "__init__"):
        stored = facts.values.stored(touch.node) if isinstance(touch.node, cst.Attribute) else None
        values = _with_parts(facts, stored[0]) if stored is not None and stored[0] is not None else ()
        found = [value for value in values if isinstance(value, (cst.Lambda, cst.GeneratorExp))]
        if found and touch.kind == "assign":
            return found[0]
    return None
