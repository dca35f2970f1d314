"""What a finding becomes where it rests on something unknown."""

from __future__ import annotations

import pytest

from seqlint.model import Edit, Finding, Levels


@pytest.mark.parametrize(
    ("levels", "capped"),
    [
        (Levels.everywhere("error"), Levels.everywhere("advice")),
        (Levels(None, "warning", "error"), Levels(None, "advice", "advice")),
        (Levels("advice", None, "error", mixed="warning"), Levels("advice", None, "advice", mixed="advice")),
        (Levels("error", "error", "error", mixed=None), Levels("advice", "advice", "advice", mixed=None)),
    ],
)
def test_levels_are_capped_and_silence_stays(levels: Levels, capped: Levels) -> None:
    assert levels.at_most("advice") == capped


def test_a_milder_level_is_not_raised() -> None:
    assert Levels("advice", "warning", "error").at_most("warning") == Levels("advice", "warning", "warning")


def test_a_finding_with_a_condition_says_it_and_offers_no_fix() -> None:
    finding = Finding(3, 7, "`net.fit` takes no `workers`").fixed_by("Drop it", Edit(3, 7, ""))
    doubted = finding.provided("`net` is a Keras model", Levels(None, "error", "error"))
    assert (doubted.message, doubted.condition) == (finding.message, "`net` is a Keras model")
    assert (doubted.fixes, doubted.levels) == ((), Levels(None, "advice", "advice"))
    assert doubted.no_fix == "this finding is not certain"
    assert (doubted.start, doubted.end) == (finding.start, finding.end)


def test_the_levels_of_the_finding_itself_are_the_ones_that_are_capped() -> None:
    finding = Finding(0, 1, "told", levels=Levels(None, None, "warning"))
    assert finding.provided("so", Levels.everywhere("error")).levels == Levels(None, None, "advice")
