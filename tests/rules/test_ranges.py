"""Which fix a program gets under which range of Keras: what it writes works on all of it, and is safe if it is so on all of it."""

from __future__ import annotations

import pytest

from seqlint import registry
from seqlint.engine import check
from seqlint.sources import Source
from tests.configs import undeclared

RULES = {loaded.rule.code: loaded for loaded in registry.load()}


@pytest.mark.parametrize(
    ("code", "number", "keras", "fix"),
    [
        ("SEQ701", 0, "", "none"),  # TypeError from the constructor on Keras 2
        ("SEQ701", 0, ">=2.15", "none"),
        ("SEQ701", 0, ">=3", "safe"),
        ("SEQ701", 5, "", "none"),  # attributes have no effect on Keras 2
        ("SEQ701", 5, ">=3", "safe"),
        ("SEQ701", 4, "", "safe"),  # the defaults of each Keras
        ("SEQ702", 1, "", "none"),
        ("SEQ702", 1, ">=3", "safe"),
        ("SEQ228", 0, "", "none"),
        ("SEQ228", 0, ">=3", "safe"),
        ("SEQ228", 0, "tf-keras", "safe"),
        ("SEQ208", 1, "", "unsafe"),  # Keras 2 takes a list of one, and shows another structure without
        ("SEQ208", 1, ">=3", "safe"),
        ("SEQ605", 1, "", "unsafe"),  # Keras 3.0 to 3.3 has epochs without a batch before, and none after
        ("SEQ605", 1, ">=3.5", "safe"),
    ],
)
def test_a_fix_depends_on_all_of_the_range(code: str, number: int, keras: str, fix: str) -> None:
    loaded = RULES[code]
    text = loaded.rule.examples[number].before.replace("PyDataset", "Sequence")
    found = [
        one for one in check(Source("example.py", text), [loaded], undeclared(keras)).diagnostics if one.code == code
    ]
    assert found[0].fixes[:1] == () if fix == "none" else found[0].fixes[0].safe is (fix == "safe")
