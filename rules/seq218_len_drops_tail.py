"""A `__len__` that rounds down: the last samples are in no batch.

## Why
`n // size` counts full batches. Keras never asks for the `n % size` samples after them. Training loses some data, validation scores
cover only a part, and `predict` returns fewer rows than there are samples.

## Measured
- Keras 3 and Keras 2: 10 samples in batches of 4 give 8 rows in `predict`, 8 in training and in validation, without a
  warning.
- Every Keras: batches may differ in their number of samples, so a short last one trains like the others.

## Do this
Return `math.ceil(n / size)`. A slice holds the samples that are left. Make an array for as many rows as there are, not for a full
batch.

## Silent when
The samples get a new order in every epoch, so that others are left out each time; batches are not slices by index;
the numbers are known and nothing remains, as with batches of one sample; `__init__` handles the remainder, such as to cut it off or to
refuse it; training takes as many samples as the shortest of several collections has. Without a fix where the count is in another file.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    FeedRole,
    Feeds,
    Finding,
    Length,
    Levels,
    Miscounted,
    Role,
    Rule,
    Sometimes,
    TrainerCall,
    a_sequence,
    any_of,
    ceiling,
    cst,
    is_of_model,
)

_HEAD = """
import math

import keras
import numpy as np


class Wells(keras.utils.Sequence):
    def __init__(self, depths, size=4, **kwargs):
        super().__init__(**kwargs)
        self.depths = depths
        self.size = size

    def __len__(self):
"""
_SLICED = """
    def __getitem__(self, index):
        rows = self.depths[index * self.size : (index + 1) * self.size]
        return rows, rows[:, :1]


depths = np.arange(90, dtype="float32").reshape(30, 3) / 90
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ218",
    name="len-drops-tail",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes.everywhere("advice"),
    contract=Contract(
        changes=frozenset({"samples", "order", "steps", "history", "weights"}),
        holds=frozenset({"none lost", "pairs match"}),
    ),
    needs=(a_sequence, any_of("__len__", "__getitem__")),
    examples=(
        Example(
            f"{_HEAD}        return len(self.depths) // self.size\n{_SLICED}"
            "model.fit(depths, depths[:, :1], validation_data=Wells(depths), verbose=0)\n",
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}"
            "model.fit(depths, depths[:, :1], validation_data=Wells(depths), verbose=0)\n",
            keras=">=2.15",
        ),
        Example(
            f"{_HEAD}        return int(np.floor(len(self.depths) / self.size))\n{_SLICED}"
            "model.fit(Wells(depths), shuffle=False, verbose=0)\n",
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}"
            "model.fit(Wells(depths), shuffle=False, verbose=0)\n",
        ),
        Example(
            f"{_HEAD}        return len(self.depths) // self.size\n{_SLICED}model.fit(Wells(depths), epochs=2, verbose=0)\n",
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}model.fit(Wells(depths), epochs=2, verbose=0)\n",
        ),
        Example(
            f"{_HEAD}        return len(self.depths) // self.size\n{_SLICED}".replace(
                "return rows, rows[:, :1]", "return rows.reshape(self.size, 3), rows[:, :1]"
            )
            + "guess = model.predict(Wells(depths), verbose=0)\n"
        ),
        Example.ok(
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}"
            "guess = model.predict(Wells(depths), verbose=0)\n"
        ),
        Example.ok(
            f"{_HEAD}        return len(self.depths) // self.size\n\n"
            "    def on_epoch_end(self):\n        np.random.shuffle(self.depths)\n"
            f"{_SLICED}model.fit(Wells(depths), verbose=0)\n"
        ),
    ),
    sources=("afshinea/keras-data-generator#5",),
)

_LOST: dict[Role, str] = {
    "validation": "the validation scores leave them out",
    "evaluate": "the scores leave them out",
    "predict": "`predict` returns fewer rows than there are samples",
}
_ROLES: dict[FeedRole, Role] = {
    "trained": "train",
    "validated": "validation",
    "evaluated": "evaluate",
    "predicted": "predict",
}

_HELP = "make batches of as many rows as are left, and round up"
_SPREAD = "the division is written elsewhere, or gives the remainder too"
_FULL = "`__getitem__` may fail on a short last batch"


def check(facts: Facts) -> Iterator[Finding]:
    for length in facts.batch_counts.all:
        count = length.count
        if count is None or count.kind != "floor" or not facts.batch_counts.by_size(length):
            continue
        roles = _roles(facts, length)
        if (
            facts.batch_counts.divides(count)
            or facts.batch_counts.comes_out_even(length)
            or (not roles and (facts.batch_counts.reshuffled(length) or facts.batch_counts.is_of_shortest(length)))
        ):
            continue
        short = facts.batch_counts.may_be_short(length)
        finding = facts.finding(count.node, _message(facts, length), _note(roles, short=short))
        if not roles:
            finding = but(finding, levels=RULE.levels.at_most("advice"))
        edits = ceiling(facts, count, count.node) if short else ()
        if edits:
            yield finding.fixed_by("Count the short last batch too", *edits, contract=_contract(facts, length))
        else:
            yield but(finding, help=_HELP, no_fix=_SPREAD if short else _FULL)
    yield from _across(facts)


def _across(facts: Facts) -> Iterator[Finding]:
    """What the text of this file does not tell alone: the count, or what cuts the batches, is in another file."""
    for found in facts.miscounted("floor"):
        roles = _roles_across(facts, found)
        if roles or not found.reordered:
            finding = facts.finding_at(found.span, _message_across(found), _note(roles, short=False), _HELP)
            finding = but(finding, no_fix=_FULL)
            yield finding if roles else but(finding, levels=RULE.levels.at_most("advice"))


def _roles_across(facts: Facts, found: Miscounted) -> tuple[Role, ...]:
    feeds = (feed for feed in facts.run.domain(Feeds).all if is_of_model(feed.call))
    roles = {_ROLES[feed.role] for feed in feeds if {*feed.value} & {*found.sources}}
    owners = {owner for source in found.sources if (owner := facts.class_of(source.cls)) is not None}
    roles |= {role for owner in owners for role in facts.external_uses.roles(owner)}
    return tuple(role for role in _LOST if role in roles)


def _message_across(found: Miscounted) -> str:
    size = str(int(found.size) - 1) if found.size.isdigit() else f"`{found.size} - 1`"
    most = f", up to {size}," if found.size else ""
    return f"`{found.owner}.__len__` rounds down, so the last samples{most} are in no batch"


def _contract(facts: Facts, length: Length) -> Contract:
    """One batch more, and fit draws another order."""
    kept = facts.training.keeps_order(length.owners)
    return Contract(changes=RULE.contract.changes - {"order"}, holds=RULE.contract.holds) if kept else RULE.contract


def _roles(facts: Facts, length: Length) -> tuple[Role, ...]:
    """The roles, training aside, in which instances are seen."""
    size = _size(facts, length)
    calls = [fed for owner in length.owners for fed in facts.training.fed(owner)]
    found = {
        role for call, role in calls if facts.evidence.model(call) == "yes" and not _by_one(facts, call, role, size)
    }
    if found.isdisjoint(_LOST):
        found |= {role for owner in length.owners for role in facts.external_uses.roles(owner, size)}
    return tuple(role for role in _LOST if role in found)


def _size(facts: Facts, length: Length) -> str:
    """The attribute that is the size of a batch."""
    node = length.count.denominator if length.count is not None else None
    own = isinstance(node, cst.Attribute) and facts.values.self_class(node.value) is not None
    return node.attr.value if isinstance(node, cst.Attribute) and own else ""


def _by_one(facts: Facts, call: TrainerCall, role: Role, size: str) -> bool:
    """Whether what is read in a role is made with batches of one sample, which leave no remainder."""
    given = [facts.fit_bindings.given(data, size) for fed, data in call.feeds if fed == role and size]
    return bool(given) and all(value is not None and facts.numbers.value(value) == 1 for value in given)


def _most(facts: Facts, size: cst.BaseExpression) -> str:
    if isinstance(size, cst.Integer):
        return str(size.evaluated_value - 1)
    return f"`{facts.text(size)} - 1`"


def _message(facts: Facts, length: Length) -> str:
    assert length.count is not None
    most = _most(facts, length.count.denominator)
    return f"`{length.owner.name}.__len__` rounds down, so the last samples, up to {most}, are in no batch"


def _note(roles: tuple[Role, ...], *, short: bool) -> str:
    if roles:
        return _LOST[roles[0]]
    return "rounding up would train on them too, as a short last batch" if short else ""
