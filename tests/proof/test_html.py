"""The page that a reader of a proof opens: whole, alone in one file, and right about what the runs showed."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqlint.proof import page
from seqlint.proof.answers import FileProof, Left
from seqlint.proof.report.chart import MOST as MOST_SERIES
from seqlint.proof.report.chart import nice_ticks
from tests.proof.files import (
    CORRUPT,
    DECLARED,
    DIFF,
    DIFFERENT,
    NAMES,
    NOT_RUN,
    SAME,
    file,
    item,
    not_run,
    proof,
    trained,
)

if TYPE_CHECKING:
    from seqlint.proof import Run

LEFT = (Left("SEQ204", 30, "`__getitem__` ignores its index", "no fix is offered"),)
HUNG = proof(replace(trained(), hung="waits in queue.Queue.get"), trained())
LEGACY = proof(trained(), trained(), keras="legacy")
PAGES = {
    "same": [file(SAME)],
    "declared": [file(DECLARED, items=3)],
    "different": [file(DIFFERENT)],
    "not run": [file(NOT_RUN, left=LEFT)],
    "hung": [file(HUNG)],
    "two lines of Keras": [file(SAME, LEGACY, items=2)],
    "corrupt": [file(DECLARED, corrupt=(CORRUPT,))],
    "proved by the corrupt run": [FileProof("train.py", (item(CORRUPT),), (), DIFF, (SAME,), (CORRUPT,))],
    "own and shared": [FileProof("a.py", (item(SAME), item(DECLARED)), (), DIFF, (DIFFERENT,))],
    "no fix": [FileProof("train.py", (), LEFT, "", ())],
    "two files": [file(SAME), file(DIFFERENT, items=2)],
    "no file": [],
}


class Parsed(HTMLParser):
    """The elements, ids and links of a page; fails where an element is not closed in its place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def attributes(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.found if name in attributes]

    def classes(self, tag: str) -> list[str]:
        return [attributes.get("class", "") for name, attributes in self.found if name == tag]

    def paths(self, class_: str) -> list[str]:
        return [a["d"] for tag, a in self.found if tag == "path" and a["class"] == class_ and a["d"] != "M1 5H29"]


def parsed(*proofs: FileProof) -> Parsed:
    return Parsed(page(proofs))


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", path)]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_and_its_links_lead_somewhere(name: str) -> None:
    found = Parsed(page(PAGES[name]))
    ids = found.attributes("id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in found.attributes("href")} <= set(ids)
    assert [tag for tag, _ in found.found].count("h1") == 1


@pytest.mark.parametrize("name", PAGES)
def test_a_page_needs_nothing_from_elsewhere(name: str) -> None:
    text = page(PAGES[name])
    assert not re.search(r"https?:|src=|url\(|@import|<script|<link", text)


@pytest.mark.parametrize(
    ("proofs", "sentence"),
    [
        ([file(SAME)], "The fix in train.py holds: nothing that was observed has changed."),
        ([file(DECLARED, items=3)], "3 fixes in train.py hold: nothing has changed but what they declare."),
        ([file(DIFFERENT)], "The fix in train.py does not hold: samples differ, and no fix declares that."),
        ([file(NOT_RUN)], "Nothing was proved in train.py: 1 fix could not be run."),
        ([file(SAME), file(DIFFERENT, items=2)], "2 of 3 fixes in 2 files do not hold: samples differ, and no fix"),
        ([file(SAME), file(NOT_RUN)], "1 of 2 fixes in 2 files holds: nothing that was observed has changed; 1 fix could"),
        ([FileProof("train.py", (), LEFT, "", ())], "Nothing was proved in train.py: no fix was applied."),
        ([file(DECLARED, corrupt=(DIFFERENT,))], "The fixes in train.py do not hold with one corrupt file: samples differ"),
    ],
)  # fmt: skip
def test_the_first_sentence_says_what_was_proved(proofs: list[FileProof], sentence: str) -> None:
    assert sentence in parsed(*proofs).text


def test_what_a_program_says_is_no_markup() -> None:
    evil = "<script>alert('\"&')</script>"
    run = trained(loss=(0.5,), more={evil: (1.0,)})
    assert run.recording
    run.recording["previews"] = {NAMES[0]: evil}
    run.recording["versions"] = evil
    other = replace(trained(NAMES[0], loss=(0.25,)), output=evil, hung=evil)
    one = item(replace(proof(run, other), name=evil, notes=(evil,)))
    one = replace(one, code=evil, name=evil, message=evil, title=evil, diff=DIFF + f"+{evil}\n", unproved=evil)
    left = Left(evil, 1, evil, evil)
    stopped = not_run(f"{evil}\n{evil}", factory=evil)
    found = parsed(FileProof(evil, (one, item(stopped)), (left,), evil, one.proofs, (CORRUPT, stopped)))
    assert "script" not in [tag for tag, _ in found.found]
    assert found.text.count(evil) > 20


def test_characters_that_no_page_can_hold_are_shown_as_such() -> None:
    odd = replace(file(SAME), path="bell\x07 \udcff.py")
    assert "bell\ufffd ?.py" in page([odd])
    assert page([odd]).encode("utf-8")


def test_a_finding_has_its_place_its_fix_and_what_the_fix_declares() -> None:
    text = parsed(file(DECLARED)).text
    assert "SEQ201 swallowed-exception" in text
    assert "Line 7 : load drops the error" in text
    assert "unsafe It declares that it changes samples, order, grouping, history and output; all else" in text
    assert "safe It declares that it changes nothing; all else" in parsed(file(SAME)).text


def test_a_diff_has_the_numbers_of_both_sides() -> None:
    text = page([file(SAME)])
    rows = re.findall(r'<tr class="(gone|come|kept)">(.*?)</tr>', text)
    seen = [(kind, *re.findall(r"<td[^>]*>([^<]*)</td>", cells)) for kind, cells in rows]
    assert seen == [
        ("kept", "3", "3", " import keras"),
        ("gone", "4", "", "--- old"),
        ("come", "", "4", "+x = 1"),
        ("come", "", "5", "+y = 2"),
        ("kept", "5", "6", " z = 3"),
    ]


def test_a_diff_names_its_cells_and_the_files_after_the_first() -> None:
    names = ("a.py", "b/c.py:cell 3\t", "d.py")
    diff = "".join(f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x = 1\n+x = 2\n" for name in names)
    text = page([replace(file(SAME), items=(replace(item(SAME), diff=diff),))])
    rows = re.findall(r'<tr class="hunk">.*?<td>([^<]*)</td></tr>', text)
    assert [row for row in rows if not row.startswith("@@")] == ["cell 3", "d.py"]


def test_equal_observables_are_folded_and_different_ones_are_not() -> None:
    text = page([file(DIFFERENT)])
    opened, _, folded = text.partition("<details>")
    assert "13 observables SAME" in folded
    assert 'scope="row">samples</th>' in opened
    assert 'scope="row">order</th>' not in opened
    assert 'scope="row">order</th>' in folded.partition("</details>")[0]


def test_the_first_differing_batch_stands_row_beside_row() -> None:
    text = page([file(DIFFERENT)])
    batch = text[text.index('<table class="batch">') :].partition("</table>")[0]
    assert "fit 1, epoch 1, step 1: 1 row only before, 3 in both" in batch
    rows = re.findall(r'<tr( class="differs")?><th scope="row">(\d)</th>(.*?)</tr>', batch)
    assert [(bool(mark), re.findall(r"x \[\d\]|no such row", cells)) for mark, _, cells in rows] == [
        (False, ["x [0]", "x [0]"]),
        (True, ["x [1]", "no such row"]),
        (False, ["x [2]", "x [2]"]),
        (False, ["x [3]", "x [3]"]),
    ]


def test_a_batch_in_another_order_is_called_that() -> None:
    swapped = proof(trained(), trained(" ".join(reversed(NAMES))))
    assert "the same samples in another order" in parsed(file(swapped)).text


def test_a_large_batch_is_shown_from_above_its_first_difference() -> None:
    many = [f"{number:016x}" for number in range(3000)]
    others = [*many[:2000], "f" * 16, *many[2001:]]
    text = page([file(proof(trained(" ".join(many)), trained(" ".join(others))))])
    batch = text[text.index('<table class="batch">') :].partition("</table>")[0]
    assert '<th scope="row">1998</th>' in batch
    assert batch.count("<tr") == 17
    assert 'class="differs"><th scope="row">2001</th>' in batch
    assert "2984 more rows not shown" in text


def test_where_batches_are_equal_none_is_shown() -> None:
    assert "First differing batch" not in parsed(file(SAME)).text
    assert "First differing batch" not in parsed(file(proof(trained(), trained(loss=(1.0, 2.0))))).text


def test_the_curves_of_both_runs_lie_on_one_scale() -> None:
    losses = {"before": (4.0, 2.0, 1.0), "after": (4.0, 3.0, 2.5)}
    found = parsed(file(proof(trained(loss=losses["before"]), trained(loss=losses["after"]))))
    drawn = {side: points(found.paths(f"line {side}")[0]) for side in losses}
    scale = (drawn["before"][2][1] - drawn["before"][0][1]) / (1.0 - 4.0)
    assert scale < 0
    for side, values in losses.items():
        heights = [y - drawn["before"][0][1] for _, y in drawn[side]]
        assert heights == pytest.approx([scale * (value - 4.0) for value in values], abs=0.02)
        steps = [b - a for (a, _), (b, _) in zip(drawn[side], drawn[side][1:], strict=False)]
        assert steps[0] == pytest.approx(steps[1], abs=0.02)
        assert steps[0] > 0
    assert "epoch 2: before 2, after 3" in found.text
    assert "epoch 2: 2 before, 3 after" in found.text


def test_equal_curves_are_one_line_over_the_other_and_said_to_be_equal() -> None:
    found = parsed(file(SAME))
    assert found.paths("line before") == found.paths("line after")
    assert "loss by epoch, equal in every epoch" in found.attributes("aria-label")


def test_one_epoch_is_a_point() -> None:
    one = trained(loss=(0.5,))
    found = parsed(file(proof(one, one)))
    assert found.paths("line after") == []
    assert len(found.paths("point after")) == 1


def test_what_is_no_number_is_a_gap_with_a_mark() -> None:
    broken = trained(loss=(4.0, 3.0, float("nan"), 2.0, float("inf"), 1.0, 0.5))
    found = parsed(file(proof(trained(loss=(4.0,) * 7), broken)))
    assert found.paths("line after")[0].count("M") == 2  # the 2.0 between two gaps is a point
    assert len(found.paths("gap after")) == 2
    assert found.paths("gap before") == []
    assert "epoch 3: before 4, after nan" in found.text


def test_a_series_of_one_run_alone_is_said_to_be_so() -> None:
    text = parsed(file(proof(trained(), trained(more={"val_loss": (1.0, 2.0)}), DECLARED.contract))).text
    assert "val_loss only after" in text


def test_each_fit_has_charts_of_its_own() -> None:
    def twice() -> Run:
        run = trained()
        assert run.recording
        run.recording["fits"] *= 2
        return run

    labels = parsed(file(proof(twice(), twice()))).attributes("aria-label")
    assert {"fit 1, loss by epoch, equal in every epoch", "fit 2, loss by epoch, equal in every epoch"} <= set(labels)


def test_many_series_are_not_all_drawn() -> None:
    run = trained(more={f"metric_{number}": (1.0, 2.0) for number in range(40)})
    found = parsed(file(proof(run, run)))
    assert [tag for tag, _ in found.found].count("figure") == MOST_SERIES
    assert f"{41 - MOST_SERIES} more series not drawn" in found.text


@given(st.floats(-1e299, 1e299), st.floats(-1e299, 1e299))
def test_an_axis_spans_its_values_with_few_ticks(one: float, other: float) -> None:
    low, high = sorted((one, other))
    ticks = nice_ticks(low, high)
    slack = 1e-6 * (ticks[-1] - ticks[0])
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    assert 2 <= len(ticks) <= 7


def test_ticks_are_round_numbers() -> None:
    assert nice_ticks(0.0, 1.0, 4) == pytest.approx([0, 0.5, 1.0])
    assert nice_ticks(13.0, 58.0) == [0, 20, 40, 60]


def test_speed_and_memory_are_reported_and_not_compared() -> None:
    text = parsed(file(replace(SAME, before=replace(SAME.before, seconds=2.5)))).text
    assert "Never compared, always reported" in text
    assert "Samples a second 4 4" in text
    assert "Seconds 2.5 s 0 s" in text
    assert "Bytes a batch 64 64" in text
    assert "Peak memory 1 MiB 1 MiB" in text


def test_what_could_not_be_run_has_its_reason_and_a_factory_to_paste() -> None:
    text = page([file(NOT_RUN, left=LEFT)])
    assert "the program can't be run: exit 1" in text
    assert "<pre>last line</pre>" in text
    assert "<pre>def feed():\n    return Feed(...)\n</pre>" in text
    assert "ignores its index" in text
    assert "no fix is offered" in text
    assert "Throughput" not in text


def test_a_run_that_hung_is_said_to_hang() -> None:
    text = parsed(file(HUNG)).text
    assert "HANGS before: it waits in queue.Queue.get" in text
    assert "HANGS" not in parsed(file(SAME)).text


def test_the_run_with_a_corrupt_file_tells_what_was_lost_and_what_is_raised() -> None:
    text = parsed(file(DECLARED, corrupt=(CORRUPT,))).text
    assert "1 of 4 samples never comes to a train step" in text
    assert "Ended with nothing was raised ValueError: could not load wave.npy" in text
    assert "Samples trained on 3 3 The same on its own input 4 4" in text


def test_a_proof_that_fixes_share_is_shown_once() -> None:
    text = page([file(DECLARED, items=3)])
    assert text.count('<section class="proof">') == 1
    assert text.count('href="#together-1"') == 3


def test_a_fix_that_the_corrupt_run_proves_leads_there() -> None:
    text = page(PAGES["proved by the corrupt run"])
    assert text.count('href="#corrupt-1"') == 1
    assert text.count('<section class="proof">') == 2


def test_each_line_of_keras_has_its_answer() -> None:
    legacy = proof(trained(), trained(loss=(9.0, 9.0)), keras="legacy")
    for run in (legacy.before, legacy.after):
        assert run.recording
        run.recording["versions"] = "tf-keras 2.21.0, TensorFlow 2.21.0"
    text = page([file(SAME, legacy, items=2)])
    row = text[text.index('href="#finding-1-1"') :].partition("</tr>")[0]
    assert re.findall(r'class="badge (\w+)"', row) == ["same", "different"]
    assert "Keras 3.15.0, TensorFlow 2.21.0 on CPU; tf-keras 2.21.0, TensorFlow 2.21.0 on CPU" in text


def test_a_smoke_run_says_what_was_cut() -> None:
    text = parsed(file(replace(SAME, notes=("fit 1 was cut to a smoke run: 3 of 50 epochs",)))).text
    assert text.count("3 of 50 epochs") == 1
    assert "at most 3 epochs and 500 steps of each fit, seed 7" in text


def test_a_proof_of_many_fixes_is_a_page_that_a_pull_request_can_take() -> None:
    change = "".join(f"-    old line number {number}\n+    new line number {number}\n" for number in range(30))
    items = tuple(replace(item(SAME, LEGACY), line=line, diff=f"@@ -1,30 +1,30 @@\n{change}") for line in range(20))
    text = page([FileProof("train.py", items, LEFT * 20, DIFF, (SAME, LEGACY), (CORRUPT,))])
    assert len(text) < 500_000


def test_a_long_diff_is_cut_and_says_so() -> None:
    long = "@@ -0,0 +1,9000 @@\n" + "+line\n" * 9000
    one = replace(item(SAME), diff=long)
    text = page([FileProof("train.py", (one,), (), long, (SAME,))])
    assert "8601 more lines of the diff" in text
    assert len(text) < 100_000
