from __future__ import annotations

import os

from hypothesis import example, given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from seqlint.sources.patterns import Patterns

ROOT = os.path.abspath("project")
LINES = st.lists(
    st.one_of(
        st.sampled_from(["*.py", "!keep.py", "/a", "a/", "b/**", "**/b", "a/*/b", "[ab]*", "# a", "", "\\#a", "!a/", "a b", "/**", "*"]),
        st.text("ab*/!?[].\\ ", max_size=6),
    ),
    max_size=5,
)  # fmt: skip
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "keep.py", "a.py", "#a", "a b"]), min_size=1, max_size=3)


@settings(max_examples=400)
@given(LINES, PATHS, st.booleans())
@example(["a/", "!a/b"], ["a", "b"], False)
@example(["*/"], ["a", "b"], True)
@example(["**/", "!b/"], ["a", "b"], False)
def test_many_lines_say_what_pathspec_says(lines: list[str], parts: list[str], folder: bool) -> None:
    try:
        said = GitIgnoreSpec.from_lines(lines).check_file("/".join(parts) + ("/" if folder else "")).include
    except ValueError:
        return  # one of them is no pattern
    assert Patterns(ROOT, tuple(lines)).says(os.path.join(ROOT, *parts), folder=folder) is said
