"""Findings as failed tests, in the XML that CI servers read from JUnit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from seqlint.output.formats.places import span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.output.formats.result import Reported, Result

# What XML 1.0 can't hold, not even escaped.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(result: Result) -> str:
    """A suite for each file with findings, and a failed test for each of them; what could not be read is a test with an error."""
    root = ElementTree.Element("testsuites", name="seqlint")
    for path, found in result.by_path().items():
        _suite(root, path, found)
    for error in result.errors:
        _failed(root, error["path"], error["message"])
    if not len(root):
        suite = ElementTree.SubElement(root, "testsuite", name="seqlint", tests="1", failures="0", errors="0")
        ElementTree.SubElement(suite, "testcase", name="no findings", classname="seqlint")
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(root: ElementTree.Element, path: str, findings: Sequence[Reported]) -> None:
    count = str(len(findings))
    suite = ElementTree.SubElement(root, "testsuite", name=_clean(path), tests=count, failures=count, errors="0")
    for found in findings:
        diagnostic, place = found.diagnostic, span(found.diagnostic)
        test = ElementTree.SubElement(
            suite, "testcase", name=f"{diagnostic.code} {diagnostic.name}", classname=_clean(path),
            file=_clean(path), line=str(place.line),
        )  # fmt: skip
        failure = ElementTree.SubElement(
            test, "failure", type=diagnostic.level, message=_clean(diagnostic.sentence)
        )  # fmt: skip
        failure.text = _clean(f"{diagnostic.path}:{diagnostic.start}\n{found.text}")


def _failed(root: ElementTree.Element, path: str, message: str) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=_clean(path), tests="1", failures="0", errors="1")
    test = ElementTree.SubElement(suite, "testcase", name="read", classname=_clean(path))
    ElementTree.SubElement(test, "error", type="error", message=_clean(message))


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
