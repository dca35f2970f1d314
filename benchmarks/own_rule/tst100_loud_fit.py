"""`fit` is called with `verbose=2`.

## Why
It prints a line for each epoch.

## Do this
Leave `verbose` out.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule

RULE = Rule(
    code="TST100",
    name="loud-fit",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    examples=(Example("import keras\n\nkeras.Model().fit(x, verbose=2)\n"),),
)


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.training.calls:
        verbose = call.value("verbose")
        if call.method == "fit" and verbose is not None and facts.numbers.values(verbose) == (2,):
            yield facts.finding(verbose, "`fit` is loud")
