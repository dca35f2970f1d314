"""Ranges of Keras as users write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from seqlint.facts.keras import parse_range
from seqlint.model import ConfigError
from seqlint.runner.rules import is_surely_range
from tests.facts.projects import ALL, KERAS3


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ALL),
        (">=3.10", {"3.10+"}),
        ("3.3.3", {"3.0-3.9"}),
        ("3.9.2", {"3.0-3.9"}),
        ("3.10", {"3.10+"}),
        ("3.10.0", {"3.10+"}),
        ("3.1", {"3.0-3.9"}),
        ("3", KERAS3),
        ("3.x", KERAS3),
        ("2", {"2"}),
        ("3.0-3.9", {"3.0-3.9"}),
        ("3.10+", {"3.10+"}),
        ("tf-keras", {"2"}),
        ("tf_keras", {"2"}),
        ("<3", {"2"}),
        ("<=3.0", {"2", "3.0-3.9"}),
        (">=3,<3.10", {"3.0-3.9"}),
        (">3.9,<3.10", {"3.0-3.9"}),
        (">=2.3", ALL),
        ("<=2.3.1", {"2"}),
        ("~=3.3", KERAS3),
        ("~=3.3.1", {"3.0-3.9"}),
        ("^3.1", KERAS3),
        ("~3.3", {"3.0-3.9"}),
        ("!=3.0.0", ALL),
        ("==3.*, !=3.10.*", KERAS3),
        ("3.0.0rc1", {"3.0-3.9"}),
        ("2.15 or 3.3", {"2", "3.0-3.9"}),
        ("tensorflow<2.16", {"2"}),
        ("tensorflow==2.17", KERAS3),
        ("tensorflow>=2.20", {"3.10+"}),
        ("tensorflow>=2.4", ALL),
        ("tensorflow-gpu==2.4.0", {"2"}),
        ("keras>=2.3, tensorflow==2.7", {"2"}),
    ],
)
def test_a_range_admits_the_lines_it_should(text: str, lines: set[str]) -> None:
    found = parse_range(text)
    assert found.lines == lines
    assert found.known == bool(text)
    assert parse_range(found.range).lines == lines


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("=>3.10", "'>=3.10'"),
        ("=3.10", "'==3.10'"),
        ("v3.1", "'3.1'"),
        ("≥3", "'>=3'"),
        ("kears>=3", "'keras>=3'"),
        ("tensorflow-keras", "'tf-keras'"),
        ("latest", "'>=3.10'"),
        ("3.10.", "'3.10'"),
        ("'3.3'", "'3.3'"),
        (">=3 and <3.10", "'>=3,<3.10'"),
    ],
)
def test_a_slip_is_an_error_that_names_the_right_form(text: str, right: str) -> None:
    with pytest.raises(ConfigError, match="did you mean") as error:
        parse_range(text)
    assert right in str(error.value)


@pytest.mark.parametrize("text", ["three", "pytorch", "numpy<2", ",", ">3..1", "keras", "3-", ">=4,<3", "<0"])
def test_nonsense_is_an_error_that_shows_forms(text: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_range(text)
    assert repr(text) in str(error.value)
    assert "'>=3.10'" in str(error.value)


RELEASES = {
    "2": ("1.2.2", "2.0.0", "2.2.4", "2.3.1", "2.4.3", "2.11.0", "2.15.0"),
    "3.0-3.9": ("3.0.0", "3.0.5", "3.3.3", "3.8.0", "3.9.2"),
    "3.10+": ("3.10.0", "3.11.3", "3.15.1"),
}
versions = st.sampled_from([version for line in RELEASES.values() for version in line] + ["2", "3", "3.10", "3.3"])
operators = st.sampled_from([">=", "<=", "<", ">", "!=", "==", "~="])


@given(st.lists(st.tuples(operators, versions), min_size=1, max_size=3))
def test_no_release_that_a_range_admits_is_missed(pieces: list[tuple[str, str]]) -> None:
    text = ",".join(
        operator + ("2.0" if operator == "~=" and version in "23" else version) for operator, version in pieces
    )
    admitted = {
        line
        for line, releases in RELEASES.items()
        if any(SpecifierSet(text).contains(release, prereleases=True) for release in releases)
    }
    try:
        assert admitted <= parse_range(text).lines
    except ConfigError:
        assert not admitted


@pytest.mark.parametrize(
    ("text", "early", "middle", "new"),
    [
        ("", True, True, True),
        ("3.3.3", True, False, False),
        ("3.8", False, True, False),
        (">=3,<3.10", True, True, False),
        (">=3.4", True, True, True),
        ("tensorflow==2.17.0", True, True, True),
        ("tensorflow<2.16", False, False, False),
        ("tf-keras", False, False, False),
    ],
)
def test_whether_keras_may_be_in_a_stretch(text: str, early: bool, middle: bool, new: bool) -> None:
    found = parse_range(text)
    assert (found.may_be("3.0", "3.7"), found.may_be("3.7", "3.10"), found.may_be("3.10")) == (early, middle, new)


@pytest.mark.parametrize(
    ("text", "older", "newer"),
    [
        (">=2.11,<3", False, True),
        (">=2.13, <=2.15", False, True),
        ("<3,>=2.12", False, True),
        ("<3", True, True),
        (">=2.4,<2.11", True, False),
        ("2.4.1", True, False),
    ],
)
def test_a_bound_inside_of_a_line_counts(text: str, older: bool, newer: bool) -> None:
    """What is shown of a range leaves out a bound that changes no line; what is asked of it does not."""
    found = parse_range(text)
    assert (found.may_be_older("2.11"), found.may_be("2.11")) == (older, newer)


_OPERATORS = ("", "==", ">=", "<=", "<", ">", "~=", "!=")
_VERSIONS = ("0", "0.0", "1", "2.16", "3", "3.0", "3.0.0", "3.3.3", "3.10", "03", "4")
_DEMANDS = [operator + version for operator in _OPERATORS for version in _VERSIONS]


@pytest.mark.parametrize("first", _DEMANDS)
def test_what_is_not_parsed_before_a_run_is_surely_a_range(first: str) -> None:
    """A command line that looks right is believed; no rule may meet a range in it that no Keras is in."""
    for text in (first, *(f"{first},{second}" for second in _DEMANDS)):
        if is_surely_range(text):
            assert parse_range(text).lines


def test_the_plainest_ranges_need_no_parser() -> None:
    assert all(is_surely_range(text) for text in ("", "tf-keras", "3.3.3", ">=3.10", ">=3,<4", ">=2.16 , <3.0.1"))
    assert not any(is_surely_range(text) for text in (">=3.10,<3.5", ">=3,<3.0", ">=3,<3"))
