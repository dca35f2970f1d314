"""`seqlint test-rules`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console, inputs, options
from seqlint.cli.choices import Colour
from seqlint.model import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.config import Config
    from seqlint.model import Example, LoadedRule
    from seqlint.output.paint import Paint

HELD, WRONG = 0, 1
Proof = Annotated[
    bool,
    typer.Option(
        "--verify", help="Run each example that is fixed before and after its fix, too; needs seqlint[proof]."
    ),
]


def own_rules(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH", help="Rule folders, or projects with rule folders. Default: the working directory."
        ),
    ] = None,
    select: options.Select = None,
    verify: Proof = False,
    time_limit: options.TimeLimit = 120,
    trust_rules: options.TrustRules = False,
    color: options.Color = Colour.auto,
) -> int:
    """Try the examples of the rules of a project: what each reports, leaves alone and writes, and with --verify what it changes.

    Exit code: 0 all is as the examples say, 1 something is not, 2 something is broken, such as a rule that can't be loaded.
    """
    paint = console.paint(color)
    wanted = inputs.words(select)
    rules = [(config, rule) for config in _configs(paths or ["."], trust_rules) for rule in _own(config, wanted)]
    if not rules:
        raise ConfigError("no rules to test: name a rule folder, or set `rules = [...]` in the configuration")
    examples = wrong = 0
    for config, loaded in rules:
        faults = list(_faults(loaded, config, verify=verify, time_limit=time_limit))
        examples += len(loaded.rule.examples)
        wrong += bool(faults)
        console.say(_told(loaded, faults, paint))
    console.say(_summary(len(rules), examples, wrong))
    return WRONG if wrong else HELD


def _configs(paths: Sequence[str], trust_rules: bool) -> Iterator[Config]:
    """A configuration for each path, with the rule folders that are to be tested.

    Raises:
        ConfigError: a path is not a folder, or its rules are not trusted.
    """
    from seqlint.config import load_config, trust

    trusting = inputs.trusts_rules(trust_rules)
    for path in paths:
        if not os.path.isdir(path):
            raise ConfigError(f"{path}: this is not a folder")
        folder = Path(os.path.realpath(path))
        config = load_config(path, trust_rules=trusting)
        named = config.rule_folders if config.root == folder else (folder,)
        barred = [one for one in named if not trusting and not trust.trusts(one, trust.digest(one))]
        if barred:
            raise ConfigError(
                f"{os.path.relpath(barred[0])}: these rules are not trusted: read them, then run `seqlint trust {os.path.relpath(barred[0])}`"
            )
        yield replace(config, rules=named, rule_folders=named)


def _own(config: Config, wanted: Sequence[str]) -> list[LoadedRule]:
    """The rules of the folders themselves, those that are selected."""
    from seqlint import registry
    from seqlint.config.selectors import closest

    homes = {os.path.realpath(folder) for folder in config.rules}
    own = [loaded for loaded in registry.load(config.rules) if os.path.realpath(loaded.path.parent) in homes]
    return [loaded for loaded in own if not wanted or closest(wanted, loaded.rule.code, loaded.rule.name) is not None]


def _faults(loaded: LoadedRule, config: Config, *, verify: bool, time_limit: float) -> Iterator[str]:
    from seqlint.engine import faults_of_example, faults_of_rule
    from seqlint.runner.rules import known

    yield from faults_of_rule(loaded)
    for number, example in enumerate(loaded.rule.examples, 1):
        under = replace(
            config, keras=example.keras, select=(loaded.rule.code,), ignore=(), extend_select=(), per_file_ignores=()
        )
        found = list(faults_of_example(loaded, example, under, known(config.rules)))
        if verify and not found and example.after is not None:
            found += _unproved(loaded, example, under, time_limit)
        yield from (f"example {number}: {fault}" for fault in found)


def _unproved(loaded: LoadedRule, example: Example, config: Config, time_limit: float) -> list[str]:
    """Why the proof of an example does not hold; nothing where it does."""
    import tempfile

    from seqlint.cli import proving
    from seqlint.proof import prove_file, workers
    from seqlint.runner import text
    from seqlint.sources import Source

    with tempfile.TemporaryDirectory(prefix="seqlint") as folder, workers() as lent:
        path = os.path.join(folder, "example.py")
        Path(path).write_text(example.before, encoding="utf-8")
        source = Source(path, example.before)
        under = replace(config, unsafe=True)
        fixed = text.fix(source, under)
        trial = proving.Trial(time_limit=time_limit)
        child = lent.under(trial.settings(proving.line_of(proving.in_use(source, under))))
        proof = prove_file(proving.prepare(path, fixed, under, trial).asked, [child])
    if proof.held:
        return []
    unlike = [
        f"{one.observable}: {one.difference}"
        for item in proof.items
        for each in item.proofs
        for one in each.verdicts
        if one.outcome == "DIFFERENT"
    ]
    return [": ".join((f"its proof is {proof.outcome}", *unlike[:1]))]


def _told(loaded: LoadedRule, faults: Sequence[str], paint: Paint) -> str:
    name = f"{loaded.rule.code} {loaded.rule.name}"
    if not faults:
        return f"{paint.good('holds')}  {name} ({len(loaded.rule.examples)} examples)\n"
    listed = "".join(f"  {line}\n" for fault in faults for line in fault.splitlines())
    return f"{paint.bad('fails')}  {name} ({os.path.relpath(loaded.path)})\n{listed}"


def _summary(rules: int, examples: int, wrong: int) -> str:
    from seqlint.output.text import count

    tried = f"{count(rules, 'rule')}, {count(examples, 'example')}"
    return f"{tried}: {f'{wrong} failed' if wrong else 'all hold'}\n"
