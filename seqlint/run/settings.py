"""Settings that somebody gives from outside: options of argparse and absl, variables of the environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.run.objects import Constant, Result, Setting, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from seqlint.run.machine import Machine

_PARSED = frozenset({"parse_args", "parse_known_args"})


def attribute(machine: Machine, found: Result, name: str, node: ast.AST) -> Value | None:
    """The value of `args.batch`, by the default of the option; None where the object is something else."""
    parser = _parser(found)
    if parser is not None:
        for option in _options(machine, parser):
            if _dest(option) == name:
                return _default(machine, option, found, name, node)
        return None
    return None


def names(machine: Machine, found: Result) -> list[str]:
    """The options of `args`, which `parse_args()` has given."""
    parser = _parser(found)
    return [*dict.fromkeys(_dest(option) for option in _options(machine, parser))] if parser is not None else []


def _parser(found: Result) -> object | None:
    """The parser whose `parse_args()` an object is."""
    if found.op == "item" and isinstance(found.receiver, Result):  # parse_known_args()[0]
        return _parser(found.receiver)
    if found.op == "call" and found.method in _PARSED:
        return found.receiver
    return None


def _options(machine: Machine, parser: object) -> Iterator[Result]:
    """The calls of `add_argument` on a parser and its groups."""
    for call in machine.trace.calls:
        result = call.result
        if result.method != "add_argument":
            continue
        holder = result.receiver
        while isinstance(holder, Result) and holder is not parser and holder.method.startswith("add_"):
            holder = holder.receiver
        if holder is parser:
            yield result


def _dest(option: Result) -> str:
    named = option.keyword("dest")
    if named is not None and isinstance(named.constant, str):
        return named.constant
    flags = [value.constant for value in option.args if isinstance(value.constant, str)]
    long = [flag for flag in flags if flag.startswith("--")] or flags
    return long[0].lstrip("-").replace("-", "_") if long else ""


def _default(machine: Machine, option: Result, found: Result, name: str, node: ast.AST) -> Value:
    term = machine.result("attribute", name, found, (), (), node)
    given = option.keyword("default")
    action = option.keyword("action")
    if given is not None and isinstance(given.only, Constant):
        return Value.of(Setting(given.only, term))
    if given is None and action is not None and action.constant in ("store_true", "store_false"):
        return Value.of(Setting(Constant(action.constant == "store_false"), term))
    return Value.of(term)
