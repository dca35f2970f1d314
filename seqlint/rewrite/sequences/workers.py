"""Moves worker arguments from a trainer call to the Sequences that it trains on, where Keras 3 takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import WORKER_ARGUMENTS, Constant, parameters
from seqlint.model import KERAS_3_LINES, KERAS_LINES, KerasLine
from seqlint.rewrite.layout.arguments import add_argument
from seqlint.rewrite.layout.statements import insert_after, insert_before
from seqlint.rewrite.sequences.constructors import forward_keywords
from seqlint.rewrite.sequences.workers_elsewhere import bears_attributes, lifted, passed_on, settings_of, speaks_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.facts import Facts, TrainerCall
    from seqlint.model import Edit
    from seqlint.rewrite.sequences.workers_elsewhere import Lifted

OLD_NAMES = {"max_q_size": "max_queue_size", "nb_worker": "workers", "pickle_safe": "use_multiprocessing"}
"""The worker arguments of Keras 1 by those of Keras 2."""
_DEFAULTS = {"max_queue_size": 10, "workers": 1, "use_multiprocessing": False}
"""What each Keras takes where nothing is said: `fit` of Keras 2, a Sequence of Keras 3."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Where the worker arguments of a call go.

    Attributes:
        edits: what passes them to the data; none where the data have no use for them.
        lines: where the call loses nothing without them. Keras 2 takes them from the call alone: as an argument of the
            constructor they are a TypeError there, as an attribute they have no effect.
    """

    edits: tuple[Edit, ...] = ()
    lines: tuple[KerasLine, ...] = KERAS_LINES


def worker_settings(call: TrainerCall) -> dict[str, cst.BaseExpression]:
    """The worker arguments that a call passes by keyword, under their present names."""
    found = {}
    for argument in call.node.args:
        name = OLD_NAMES.get(argument.keyword.value, argument.keyword.value) if argument.keyword is not None else ""
        if name in WORKER_ARGUMENTS:
            found[name] = argument.value
    return found


def spans_both(facts: Facts) -> bool:
    """Whether the project may run on Keras 2 as well as on Keras 3, as it may where nothing says which one it runs on."""
    return "2" in facts.keras.lines and len(facts.keras.lines) > 1


def give_workers(facts: Facts, call: TrainerCall) -> Moved | None:
    """The edits that pass the worker arguments of a call to each Sequence in it.

    They go to where the Sequence is made; where a value means something else there, or another call has other settings,
    right above the call. None where that is impossible too: data that can't be traced, or a class that gives these
    attributes its own meaning. Where all values are those that Keras takes by itself, they go nowhere.
    """
    settings = worker_settings(call)
    if _are_defaults(facts, call, settings):
        return Moved()
    edits = _everywhere(facts, call, settings)
    if edits is None:
        return None
    # On Keras 2 each process runs the generator: without them the samples differ.
    forked = _may_fork(facts, settings) and any(facts.input_kinds.kind(data) == "generator" for _, data in call.feeds)
    return Moved(edits, KERAS_3_LINES if edits or forked else KERAS_LINES)


def _are_defaults(facts: Facts, call: TrainerCall, settings: Mapping[str, cst.BaseExpression]) -> bool:
    """Whether the arguments change nothing on any Keras, since no Sequence of the call is seen to have other settings.

    Data that can't be traced have those of Keras, or their own: Keras 2 leaves these alone, and so does a call without arguments.
    """
    if not settings or not are_all_default(facts, settings):
        return False
    return not any(_has_others(facts, call, data, settings) for _, data in call.feeds)


def are_all_default(facts: Facts, settings: Mapping[str, cst.BaseExpression]) -> bool:
    """Whether worker settings are those that each Keras takes by itself."""
    return all(_is_default(facts, name, value) for name, value in settings.items())


def _is_default(facts: Facts, name: str, value: cst.BaseExpression) -> bool:
    return facts.values.constant(value) == Constant(_DEFAULTS[name])


def _has_others(
    facts: Facts, call: TrainerCall, data: cst.BaseExpression, settings: Mapping[str, cst.BaseExpression]
) -> bool:
    """Whether data may be seen to have worker settings of their own, or get them for another call."""
    if _is_fed_otherwise(facts, call, data, settings):
        return True
    for maker in facts.input_kinds.makers(data):
        if _wanted_otherwise(facts, call, maker, settings) or _has_own(maker, settings):
            return True
        if _uses_names(facts, maker, WORKER_ARGUMENTS) or _speaks_of_workers(facts, maker):
            return True
        if any(_may_hold(facts, maker, argument, settings) for argument in maker.args if argument.star):
            return True
    return False


def _speaks_of_workers(facts: Facts, maker: cst.Call) -> bool:
    """Whether the class of a Sequence, or a base of it, names worker settings: a parameter with another default, for one."""
    definition = facts.names.definition(maker.func)
    if not isinstance(definition, cst.ClassDef):
        home = facts.externally_made.sequence(maker)
        return home is not None and speaks_of(home)
    lineage = facts.class_facts(definition).lineage
    return any(name in facts.text(found.node) for found in lineage for name in WORKER_ARGUMENTS)


def _everywhere(facts: Facts, call: TrainerCall, settings: Mapping[str, cst.BaseExpression]) -> tuple[Edit, ...] | None:
    """The edits that pass them to each Sequence; none where there is no Sequence."""
    edits: list[Edit] = []
    late: list[str] = []
    above: list[Lifted] = []
    for role, data in call.feeds:
        if role in ("train", "evaluate") and call.value("y") is not None:
            continue  # separate targets: this is not a batch source
        step = _given(facts, call, data, settings)
        if step is None:
            told = _told(facts, call, (role, data), settings, above)
            if told is None:
                return None
            lines, step = told
            late += lines
        edits += [edit for edit in step if edit not in edits]
    statement = facts.tree.statement(call.node)
    if late and not isinstance(statement, cst.SimpleStatementLine):
        return None
    return (*edits, *([insert_before(facts, statement, "\n".join(late))] if late else ()))


def _told(
    facts: Facts,
    call: TrainerCall,
    feed: tuple[str, cst.BaseExpression],
    settings: Mapping[str, cst.BaseExpression],
    above: list[Lifted],
) -> tuple[list[str], tuple[Edit, ...]] | None:
    """Lines above a call that set workers on its data, and edits of the call; None where the data may be something else.

    Args:
        above: what this fix has made variables of; more are added.
    """
    role, data = feed
    texts = _texts(facts, settings)
    if _can_be_told(facts, data, settings):
        return settings_of(facts.text(data), texts), ()
    if not _bears_settings(facts, call, data, settings) and not _is_made_there(facts, data, settings):
        return None
    if isinstance(data, (cst.Name, cst.Attribute)):
        return settings_of(facts.text(data), texts), ()
    variable = lifted(facts, call.node, data, role, above)
    if variable is None:
        return None
    above.append(variable)
    return [variable.line, *settings_of(variable.name, texts)], (variable.edit,)


def _bears_settings(
    facts: Facts, call: TrainerCall, data: cst.BaseExpression, settings: Mapping[str, cst.BaseExpression]
) -> bool:
    """Whether data surely are a Sequence without settings of its own."""
    homes = facts.externally_made.sequences(data)
    made = [value for value in facts.values.of(data) if isinstance(value, cst.Call)]
    if not homes or not all(bears_attributes(home, tuple(settings)) for home in homes):
        return False
    if any(_stores(facts, name) for name in settings):
        return False
    if facts.externally_made.is_given(data):
        return not facts.externally_made.names_any(data, WORKER_ARGUMENTS)
    if isinstance(data, cst.Attribute):
        return False
    own = any(_has_own(maker, settings) or _may_be_given(facts, maker, settings) for maker in made)
    return bool(made) and not own


def _is_made_there(facts: Facts, data: cst.BaseExpression, settings: Mapping[str, cst.BaseExpression]) -> bool:
    """Whether a call makes its data by `flow(...)` of a generator of images, whose batches take settings as attributes."""
    made = facts.input_kinds.makers(data) == (data,) and isinstance(data, cst.Call)
    if not made or not isinstance(data, cst.Call) or _has_own(data, settings) or any(each.star for each in data.args):
        return False
    of_keras = isinstance(data.func, cst.Attribute) and data.func.attr.value.startswith("flow")
    return of_keras and facts.names.definition(data.func) is None and not any(_stores(facts, name) for name in settings)


def _may_be_given(facts: Facts, maker: cst.Call, settings: Mapping[str, cst.BaseExpression]) -> bool:
    """Whether `**options` of a call that makes data may hold worker settings."""
    options = [facts.input_kinds.options(argument.value) for argument in maker.args if argument.star == "**"]
    return any(found is None or any(name in found for name in settings) for found in options)


def _is_fed_otherwise(
    facts: Facts, call: TrainerCall, data: cst.BaseExpression, settings: Mapping[str, cst.BaseExpression]
) -> bool:
    """Whether another call gives other settings with the same variable, which may keep them."""
    if not isinstance(data, cst.Name):
        return False
    wanted, bound = _texts(facts, settings), facts.names.reaching(data)
    given = [(worker_settings(other), other) for other in facts.training.calls if other.node is not call.node]
    return any(
        bool(some) and _texts(facts, some) != wanted and not are_all_default(facts, some)
        for some, other in given
        for _, fed in other.feeds
        if isinstance(fed, cst.Name) and fed.value == data.value and facts.names.reaching(fed) == bound
    )


def _can_be_told(facts: Facts, data: cst.BaseExpression, settings: Mapping[str, cst.BaseExpression]) -> bool:
    """Whether `feed.workers = 4` right above the call would work: a variable that surely holds a Sequence made in this file."""
    if facts.input_kinds.kind(data) != "sequence" or not isinstance(data, (cst.Name, cst.Attribute)):
        return False
    if isinstance(data, cst.Name):
        stored = [binding.value for binding in facts.names.reaching(data)]
    else:
        owner = facts.values.self_class(data.value)
        stored = list(facts.values.attribute_values(owner, data.attr.value)) if owner is not None else []
    makers = facts.input_kinds.makers(data)
    if not stored or not makers or not all(isinstance(value, cst.Call) for value in stored):
        return False
    return not any(_has_own(maker, settings) or _uses_names(facts, maker, tuple(settings)) for maker in makers)


def _has_own(maker: cst.Call, settings: Mapping[str, cst.BaseExpression]) -> bool:
    """Whether the Sequence is made with workers already: it is unknown which of the two settings is meant."""
    return any(argument.keyword is not None and argument.keyword.value in settings for argument in maker.args)


def _given(
    facts: Facts, call: TrainerCall, data: cst.BaseExpression, settings: Mapping[str, cst.BaseExpression]
) -> tuple[Edit, ...] | None:
    kind = facts.input_kinds.kind(data)
    if kind != "sequence":
        return None if kind == "unknown" else ()
    edits: list[Edit] = []
    for maker in facts.input_kinds.makers(data):
        if _wanted_otherwise(facts, call, maker, settings) or _is_shared(facts, call, maker, settings):
            return None
        step = _at_maker(facts, maker, settings)
        if step is None:
            return None
        edits += step
    return tuple(edits)


def _may_fork(facts: Facts, settings: Mapping[str, cst.BaseExpression]) -> bool:
    value = settings.get("use_multiprocessing")
    constant = facts.values.constant(value) if value is not None else None
    return value is not None and (constant is None or bool(constant.value))


def _wanted_otherwise(
    facts: Facts, call: TrainerCall, maker: cst.Call, settings: Mapping[str, cst.BaseExpression]
) -> bool:
    """Whether another call passes other worker arguments with the same Sequence."""
    wanted = _texts(facts, settings)
    for other in facts.training.calls:
        given = worker_settings(other)
        if other.node is call.node or not given or _texts(facts, given) == wanted:
            continue
        if are_all_default(facts, settings) and are_all_default(facts, given):
            continue
        if any(maker in facts.input_kinds.makers(data) for _, data in other.feeds):
            return True
    return False


def _is_shared(facts: Facts, call: TrainerCall, maker: cst.Call, settings: Mapping[str, cst.BaseExpression]) -> bool:
    """Whether the function that makes the Sequence also makes others, for calls without these worker arguments."""
    home, wanted = facts.tree.function(call.node), _texts(facts, settings)
    function, seen = facts.tree.function(maker), {home}
    while function is not None and function not in seen:
        seen.add(function)
        if function.decorators and len(facts.tree.attributes(function.name.value)) > 1:
            return True  # a property that others read
        made = facts.call_graph.callers(function)
        if len(made) > 1:
            return any(_texts(facts, given) != wanted for one in made for given in _given_with(facts, one))
        function = facts.tree.function(made[0]) if made else None
    return False


def _given_with(facts: Facts, made: cst.Call) -> list[dict[str, cst.BaseExpression]]:
    """The worker arguments of each trainer call that takes what a call makes; one empty dict where no such call is seen."""
    held = [
        call
        for call in facts.training.calls
        for _, data in call.feeds
        if data is made or (isinstance(data, cst.Name) and made in {b.value for b in facts.names.reaching(data)})
    ]
    return [worker_settings(call) for call in held] or [{}]


def _texts(facts: Facts, settings: Mapping[str, cst.BaseExpression]) -> dict[str, str]:
    return {name: facts.text(value) for name, value in settings.items()}


def _at_maker(facts: Facts, maker: cst.Call, settings: Mapping[str, cst.BaseExpression]) -> tuple[Edit, ...] | None:
    if any(_may_hold(facts, maker, argument, settings) for argument in maker.args if argument.star):
        return None
    given = {argument.keyword.value: argument.value for argument in maker.args if argument.keyword is not None}
    if any(name in given and facts.text(given[name]) != facts.text(value) for name, value in settings.items()):
        return None
    missing = {name: value for name, value in settings.items() if name not in given}
    if not all(facts.same.at(value, maker) for value in missing.values()):
        return None
    forwarded = _forwarded(facts, maker, tuple(settings))
    if forwarded is not None:
        return (*forwarded, *_by_argument(facts, maker, missing))
    return _by_attribute(facts, maker, missing)


def _forwarded(facts: Facts, maker: cst.Call, names: tuple[str, ...]) -> tuple[Edit, ...] | None:
    """Edits after which the class that a call makes an instance of passes arguments on to Keras, in whichever file it stands."""
    definition = facts.names.definition(maker.func)
    if isinstance(definition, cst.ClassDef):
        return forward_keywords(facts, facts.class_facts(definition), names)
    home = facts.externally_made.sequence(maker)
    return passed_on(home, names) if home is not None else None


def _may_hold(facts: Facts, maker: cst.Call, argument: cst.Arg, settings: Mapping[str, cst.BaseExpression]) -> bool:
    """Whether `*arguments` or `**options` of a call can hold worker arguments."""
    if argument.star == "*":
        definition = facts.names.definition(maker.func)
        init = facts.class_facts(definition).method("__init__") if isinstance(definition, cst.ClassDef) else None
        return init is None or any(param.name.value in settings for param in parameters(init[1].params))
    options = facts.input_kinds.options(argument.value)
    return options is None or any(name in options for name in settings)


def _by_argument(facts: Facts, maker: cst.Call, missing: Mapping[str, cst.BaseExpression]) -> tuple[Edit, ...]:
    texts = [f"{name}={facts.text(value)}" for name, value in missing.items()]
    return (add_argument(facts, maker, *texts),) if texts else ()


def _by_attribute(facts: Facts, maker: cst.Call, missing: Mapping[str, cst.BaseExpression]) -> tuple[Edit, ...] | None:
    """`feed.workers = 4` below `feed = Feed(...)`: a setter on Keras 3."""
    if not missing:
        return ()
    statement = facts.tree.statement(maker)
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    assign = statement.body[0]
    if not isinstance(assign, cst.Assign) or assign.value is not maker or len(assign.targets) != 1:
        return None
    target = assign.targets[0].target
    if not isinstance(target, (cst.Name, cst.Attribute)) or _uses_names(facts, maker, tuple(missing)):
        return None
    lines = [f"{facts.text(target)}.{name} = {facts.text(value)}" for name, value in missing.items()]
    return (insert_after(facts, statement, "\n".join(lines)),)


def _uses_names(facts: Facts, maker: cst.Call, names: tuple[str, ...]) -> bool:
    """Whether the class, or other code of this file, gives these attributes their own meaning or value."""
    definition = facts.names.definition(maker.func)
    own = facts.class_facts(definition).methods if isinstance(definition, cst.ClassDef) else {}
    home = facts.externally_made.sequence(maker) if definition is None else None
    if home is not None and speaks_of(home, names):
        return True
    return any(name in own or _stores(facts, name) for name in names)


def _stores(facts: Facts, name: str) -> bool:
    """Whether code of this file sets an attribute of a name."""
    return any(facts.values.stored(node) is not None for node in facts.tree.attributes(name))
