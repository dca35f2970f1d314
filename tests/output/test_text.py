from __future__ import annotations

from dataclasses import replace

from seqlint.model import Contract
from seqlint.output import concise, text
from seqlint.output.paint import Paint
from tests.output.samples import UNSAFE, diagnostic, fix

CODE = "import keras\nmodel.«fit»(x)\n"


def test_a_finding_says_where_what_and_how_to_repair_it() -> None:
    found, source = diagnostic(CODE, fix("Repair it"), fix("Do something else", contract=UNSAFE))
    assert text.finding(found, source, Paint()) == (
        "error[SEQ999] made-up: this is wrong\n"
        "  --> a.py:2:7\n"
        "  |\n"
        "2 | model.fit(x)\n"
        "  |       ^^^\n"
        "  fix (safe): Repair it\n"
        "  or (unsafe, changes hooks and history): Do something else\n"
    )


def test_a_fix_that_only_ends_an_error_is_safe() -> None:
    found, source = diagnostic(CODE, fix("Repair it", contract=Contract(repairs=frozenset({"errors"}))))
    assert "  fix (safe): Repair it\n" in text.finding(found, source, Paint())


def test_a_finding_has_colours_only_when_asked_for() -> None:
    found, source = diagnostic(CODE, fix("Repair it"))
    assert "\x1b" not in text.finding(found, source, Paint())
    assert "\x1b[1;31merror[SEQ999]\x1b[0m" in text.finding(found, source, Paint(True))


def test_the_last_line_counts_levels_and_fixes() -> None:
    plain, _ = diagnostic(CODE)
    safe, _ = diagnostic(CODE, fix("Repair it"))
    unsafe, _ = diagnostic(CODE, fix("Repair it", contract=UNSAFE), fix("Another"))
    advice = replace(plain, level="advice")
    assert text.summary([], 3) == "no findings in 3 files"
    assert text.summary([plain], 1) == "1 finding (1 error) in 1 file"
    assert text.summary([safe, advice, advice], 2) == (
        "3 findings (1 error, 2 advice) in 2 files; `seqlint fix` fixes 1"
    )
    assert text.summary([safe, unsafe], 2) == (
        "2 findings (2 errors) in 2 files; `seqlint fix` fixes 1, and 1 with --unsafe"
    )
    assert text.summary([unsafe], 1) == "1 finding (1 error) in 1 file; `seqlint fix --unsafe` fixes 1"


def test_concise_is_one_line() -> None:
    assert concise.finding(diagnostic(CODE)[0]) == "a.py:2:7: error[SEQ999] this is wrong"


def test_concise_says_whether_fix_mends_it_and_how() -> None:
    safe, unsafe = diagnostic(CODE, fix("Repair it"))[0], diagnostic(CODE, fix("Repair it", contract=UNSAFE))[0]
    assert concise.finding(safe).endswith("this is wrong [fix]")
    assert concise.finding(unsafe).endswith("this is wrong [unsafe fix]")


def test_what_happens_and_what_to_do_follow_the_code() -> None:
    found, source = diagnostic(CODE)
    told = replace(found, note="every epoch has the same rows", help="shuffle `rows`", no_fix="`rows` is a tuple")
    assert text.finding(told, source, Paint()).splitlines()[-3:] == [
        "  note: every epoch has the same rows",
        "  help: shuffle `rows`",
        "  no fix: `rows` is a tuple",
    ]


def test_what_a_finding_rests_on_is_part_of_its_sentence() -> None:
    found, source = diagnostic(CODE)
    doubted = replace(found, level="advice", condition="`net` is a Keras model")
    assert concise.finding(doubted) == "a.py:2:7: advice[SEQ999] this is wrong, if `net` is a Keras model"
    assert "made-up: this is wrong, if `net` is a Keras model\n" in text.finding(doubted, source, Paint())
