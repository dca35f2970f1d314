"""Two findings at one place that are one."""

from __future__ import annotations

from seqlint.model import Edit, Finding
from seqlint.rewrite.both import mended_in_both

FIRST = Finding(0, 4, "it stops alone").fixed_by("Average", Edit(0, 0, "a"), Edit(9, 9, "b"))


def test_both_places_are_mended_and_what_they_share_once() -> None:
    other = Finding(0, 4, "it stops alone").fixed_by("Average", Edit(9, 9, "b"), Edit(20, 20, "c"))
    (fix,) = mended_in_both(FIRST, other).fixes
    assert fix.edits == (Edit(0, 0, "a"), Edit(9, 9, "b"), Edit(20, 20, "c"))


def test_where_one_can_not_be_mended_neither_is() -> None:
    assert not mended_in_both(FIRST, Finding(0, 4, "it stops alone")).fixes
    assert not mended_in_both(Finding(0, 4, "it stops alone"), FIRST).fixes


def test_a_reader_is_told_why_neither_is() -> None:
    assert (
        mended_in_both(FIRST, Finding(0, 4, "it stops alone", no_fix="Horovod is optional here")).no_fix
        == "Horovod is optional here"
    )
    assert mended_in_both(FIRST, Finding(0, 4, "it stops alone")).no_fix
