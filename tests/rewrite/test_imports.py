"""Where a new import comes: comments on the file and on other imports stay what they are."""

from __future__ import annotations

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
