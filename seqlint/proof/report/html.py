"""The proof as one page of HTML that needs nothing else: no script, no network, no font."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files as resources
from typing import TYPE_CHECKING

from seqlint.proof.report import words
from seqlint.proof.report.corrupt import corrupt_section
from seqlint.proof.report.evidence import answer, evidence, label, named, note_list
from seqlint.proof.report.finding import finding
from seqlint.proof.report.groups import distinct, own, together
from seqlint.proof.report.headline import headline
from seqlint.proof.report.tags import NOTHING, Html, badge, element, joined, prose, row, table
from seqlint.proof.report.words import counted, listed, located, place, versions
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.proof.answers import FileProof, Item, Left
    from seqlint.proof.run import Outcome, Proof

_SORTED: tuple[Outcome, ...] = ("DIFFERENT", "CHANGED AS DECLARED", "SAME", "NOT RUN")
_NOTES = 10


def page(proofs: Sequence[FileProof]) -> str:
    """The page for the proofs of some files: equal proofs give equal text."""
    title = headline(proofs) if proofs else "Nothing was proved: there was no file"
    head = element(
        "head",
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="color-scheme" content="light dark">'),
        element("title", f"seqlint: {title}"),
        element("style", Html(resources(__package__).joinpath("page.css").read_text("utf-8"))),
    )
    sections = (_file(file, number, len(proofs) > 1) for number, file in enumerate(proofs, 1))
    body = element("body", _header(title, proofs), element("main", *sections), _footer())
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _header(title: str, files: Sequence[FileProof]) -> Html:
    runs = [proof for file in files for proof in distinct(file)]
    whole = (proof for file in files for proof in (*file.proofs, *together(file)))
    notes = tuple(dict.fromkeys(note for proof in whole for note in proof.notes))
    about = [element("div", element("dt", name), element("dd", text)) for name, text in _about(runs)]
    return element(
        "header",
        element("p", "seqlint proof", class_="eyebrow"),
        element("h1", f"{title}."),
        element("p", *_counts(files), class_="counts"),
        element("dl", *about, class_="about") if about else NOTHING,
        note_list(notes[:_NOTES]),
    )


def _counts(files: Sequence[FileProof]) -> Iterator[Html]:
    items = [item for file in files for item in file.items]
    answers = Counter((item.outcome, words.item_label(item)) for item in items)
    answers["NOT RUN", "NOT RUN"] += sum(len(file.left) for file in files)
    for (outcome, text), number in sorted(answers.items(), key=lambda pair: _SORTED.index(pair[0][0])):
        if number:
            yield element("span", element("b", str(number)), " ", badge(outcome, text))


def _about(runs: Sequence[Proof]) -> Iterator[tuple[str, str]]:
    if not runs:
        return
    yield "Ran on", "; ".join(dict.fromkeys(f"{named(versions(proof))} {place(proof)}" for proof in runs))
    again = any(proof.again for proof in runs)
    yield "Runs", "before, after, and before again to measure the noise" if again else "before and after"
    settings = runs[0].settings
    limits = (counted(settings.epochs, "epoch"), counted(settings.steps, "step"))
    yield "Smoke run", f"at most {listed(limits)} of each fit, seed {settings.seed}"


def _file(file: FileProof, number: int, many: bool) -> Html:
    sentence = element("p", f"{headline([file])}.", class_="conclusion") if many else NOTHING
    title = element("h2", element("code", file.path))
    findings = [_finding(item, file, number) for item in file.items]
    runs = (_together(file, number), corrupt_section(file, f"corrupt-{number}"))
    parts = (title, sentence, _overview(file, number), *findings, *runs, _left(file))
    return element("section", *parts, class_="file")


def _ids(file: FileProof, number: int) -> dict[int, str]:
    return {id(item): f"finding-{number}-{place}" for place, item in enumerate(file.items, 1)}


def _overview(file: FileProof, number: int) -> Html:
    """Every finding with its answer on each line of Keras; nothing where there is one."""
    if len(file.items) + len(file.left) < 2:
        return NOTHING
    labels = tuple(dict.fromkeys(label(proof) for item in file.items for proof in item.proofs))
    columns = labels if len(labels) > 1 else ("Answer",)
    ids = _ids(file, number)
    rows = [_row_of(item, ids[id(item)], labels) for item in file.items]
    rows += [_plain_row(left, len(columns)) for left in file.left]
    return table(("Finding", "Fix", *columns), rows, "overview")


def _row_of(item: Item, id_: str, labels: Sequence[str]) -> Html:
    link = element("a", element("code", item.code), f" {located(item)}", href=f"#{id_}")
    if len(labels) < 2:
        return row(link, prose(item.title), badge(item.outcome, words.item_label(item)))
    answers = {label(proof): answer(proof) for proof in item.proofs}
    cells = (joined([_narrow(name), answers.get(name, badge("NOT RUN"))]) for name in labels)
    return row(link, prose(item.title), *cells)


def _narrow(name: str) -> Html:
    """The name of a column, which shows where the head of the table has no room."""
    return element("span", f"{name} ", class_="narrow")


def _plain_row(left: Left, columns: int) -> Html:
    name = joined([element("code", left.code), f" {located(left)}"])
    return row(name, prose(left.reason), *[badge("NOT RUN")] * columns)


def _finding(item: Item, file: FileProof, number: int) -> Html:
    """A fix with the proofs that are its own, and links to those that it shares."""
    alone = own(item, file)
    runs = [_runs(alone, file)] if alone else []
    elsewhere = [proof for proof in item.proofs if not any(proof is one for one in alone)]
    corrupt = [any(proof is one for one in file.corrupt) for proof in elsewhere]
    links = [(f"corrupt-{number}", "the runs with one corrupt file")] if any(corrupt) else []
    links += [(f"together-{number}", "the runs of all fixes together")] if not all(corrupt) else []
    return finding(item, _ids(file, number)[id(item)], runs, links)


def _together(file: FileProof, number: int) -> Html:
    shared = together(file)
    if not shared:
        return NOTHING
    title = element("h3", "All fixes together" if len(file.items) > 1 else "On its own input")
    return element("section", title, _runs(shared, file), id=f"together-{number}", class_="group")


def _runs(proofs: Sequence[Proof], file: FileProof) -> Html:
    several = len(distinct(file)) > len(file.corrupt) + 1
    return element("div", *(evidence(proof, several) for proof in proofs), class_="proofs")


def _left(file: FileProof) -> Html:
    if not file.left:
        return NOTHING
    rows = [
        row(joined([element("code", x.code), f" {located(x)}"]), prose(x.message), prose(x.reason)) for x in file.left
    ]
    title = element("h3", "Not run ", badge("NOT RUN"))
    return element("section", title, table(("Finding", "Message", "Why"), rows, "left"), class_="group")


def _footer() -> Html:
    said = f"seqlint {__version__} ran the program before and after its fixes, and compared what it did."
    return element("footer", element("p", said))
