"""Three rules of the tests' own: the fix of the first changes the weights, that of the second nothing, the third has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def needs_tensorflow(test: Callable[..., None]) -> Callable[..., None]:
    for mark in (
        pytest.mark.tensorflow,
        pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
    ):
        test = mark(test)
    return test


RULE = '''\
"""The call of `{name}` is made up.

## Why
It is made up.

## Do this
Don't.
"""

from collections.abc import Iterator

from seqlint.api import Edit, Example, Facts, Finding, Levels, Rule

RULE = Rule(
    code="{code}",
    name="{kebab}-called",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    examples=(Example("import keras\\n\\nkeras.{name}()\\n"),),
)


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.calls("keras.utils.{name}"):
        yield facts.finding(call, "it is called"){fix}
'''
FIX = '.fixed_by("Take the other", Edit(*facts.span({node}), "{text}"))'
SEED = "keras.utils.set_random_seed(1)"
LOGGING = "keras.utils.disable_interactive_logging()"
ASKED = "keras.utils.is_interactive_logging_enabled()"


def write(folder: Path) -> None:
    """Write the rules, and a configuration that takes them alone."""
    seed = FIX.format(node="call.func", text="np.random.seed")
    logging = FIX.format(node="call.func", text="keras.utils.enable_interactive_logging")
    rules = (
        ("TST901", "set_random_seed", seed),
        ("TST902", "disable_interactive_logging", logging),
        ("TST903", "is_interactive_logging_enabled", ""),
    )
    (folder / "rules").mkdir()
    for code, name, fix in rules:
        text = RULE.format(code=code, name=name, kebab=name.replace("_", "-"), fix=fix)
        (folder / f"rules/{code.lower()}_{name}.py").write_text(text)
    (folder / "seqlint.toml").write_text('rules = ["rules"]\nselect = ["TST"]\n')
