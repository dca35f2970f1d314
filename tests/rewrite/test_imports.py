"""Where a new import comes: comments on the file and on other imports stay what they are."""

from __future__ import annotations

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import name_for
from tests.facts.reading import facts_of


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("# by somebody\n\n", "# by somebody\n\nimport math\n\nimport keras\nimport numpy\n"),
        ("# by somebody\n", "# by somebody\nimport keras\nimport math\nimport numpy\n"),
        ('"""Data."""\n\n# for models\n', '"""Data."""\n\nimport math\n\n# for models\nimport keras\nimport numpy\n'),
        (
            "#!/bin/python\n# coding: utf-8\n",
            "#!/bin/python\n# coding: utf-8\nimport math\n\nimport keras\nimport numpy\n",
        ),
        ("#!/bin/python\n# a script\n", "#!/bin/python\n# a script\nimport keras\nimport math\nimport numpy\n"),
        ("#!/bin/python\n\n# models\n", "#!/bin/python\n\nimport math\n\n# models\nimport keras\nimport numpy\n"),
        (
            "import abc\n# times\nimport time\n",
            "import abc\nimport math\n# times\nimport time\nimport keras\nimport numpy\n",
        ),
    ],
)
def test_an_import_leaves_comments_with_what_they_are_about(head: str, after: str) -> None:
    facts = facts_of(f"{head}import keras\nimport numpy\n")
    spelling = name_for(facts, "math.ceil", facts.module)
    assert spelling.text == "math.ceil"
    assert apply(facts.source.utf8, spelling.edits) == after


@pytest.mark.parametrize(
    ("head", "name", "text", "line"),
    [
        ("import numpy as math\n", "math.ceil", "math_module.ceil", "import math as math_module"),
        ("math = math_module = 1\n", "math.ceil", "math_module2.ceil", "import math as math_module2"),
        ("def length(np): ...\n", "numpy.stack", "np.stack", "import numpy as np"),
        ("class Mean: ...\n", "keras.metrics.Mean", "KerasMean", "from keras.metrics import Mean as KerasMean"),
        (
            "Callback = object\nfrom keras.callbacks import History\n",
            "keras.callbacks.Callback",
            "KerasCallback",
            "from keras.callbacks import Callback as KerasCallback, History",
        ),
    ],
)
def test_an_import_takes_no_name_from_the_file(head: str, name: str, text: str, line: str) -> None:
    facts = facts_of(head)
    spelling = name_for(facts, name, facts.module)
    assert spelling.text == text
    assert line in apply(facts.source.utf8, spelling.edits).splitlines()


def test_an_import_is_seen_where_it_is_used() -> None:
    """A parameter hides the module of the same name, here as the import that is there and as the one to come."""
    facts = facts_of("import numpy as np\n\n\ndef length(np, math):\n    return np\n")
    (place,) = facts.tree.all(cst.Return)
    assert name_for(facts, "math.ceil", place).text == "math_module.ceil"
    assert name_for(facts, "numpy.stack", place).text == "numpy_module.stack"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("with a:\n    pass\n", "import math\nwith a:\n    pass\n"),
        ("# about a\nwith a:\n    pass\n", "import math\n# about a\nwith a:\n    pass\n"),
        ("# by somebody\n\n# about a\nif a:\n    pass\n", "# by somebody\n\nimport math\n# about a\nif a:\n    pass\n"),
        ("#!/bin/python\n# about a\nuse(a)\n", "#!/bin/python\nimport math\n# about a\nuse(a)\n"),
        ("@known\nclass A:\n    pass\n", "import math\n@known\nclass A:\n    pass\n"),
        ("# about A\n@known\n@named\ndef a(): pass\n", "import math\n# about A\n@known\n@named\ndef a(): pass\n"),
    ],
)
def test_an_import_into_a_file_without_imports_comes_above_what_its_first_statement_has(
    before: str, after: str
) -> None:
    facts = facts_of(before)
    assert apply(before.encode(), name_for(facts, "math.ceil", facts.module).edits) == after
