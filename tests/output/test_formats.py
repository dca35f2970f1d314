"""Reports for other programs: each is what its reader takes, and says the same as the report for people."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from seqlint.model import Cell, Diagnostic, Edit, Position
from seqlint.output import json as output
from seqlint.output.formats import azure, github, gitlab, grouped, junit, pylint, rdjson, sarif
from seqlint.output.formats.result import Reported, Result
from tests.output.samples import UNSAFE, diagnostic, fix, rule

SCHEMAS = Path(__file__).parent / "schemas"
ODD = "# é\nfit = ä(«model», 7)\n"
HOSTILE = "50 %, a:b;c] d\x00\x1b <&> '\ud800' é\u2028"


def reported(text: str, *fixes: Any, message: str = "this is wrong") -> Reported:
    found, source = diagnostic(text, *fixes, message=message)
    return Reported(found, source, output.finding(found, source))


def in_a_notebook() -> Reported:
    found, source = diagnostic("x = 1\n«x»\n")
    cell = Cell(2, 1, 6)
    here = Diagnostic(
        found.code, found.name, "warning", found.message, "a b.ipynb",
        Position(2, 1, 6, cell), Position(2, 2, 7, cell), found.keras,
    )  # fmt: skip
    return Reported(here, source, output.finding(here, source))


RESULTS = {
    "nothing": Result([], 3),
    "a fix": Result([reported(ODD, fix("Call it", Edit(14, 19, "net"), contract=UNSAFE))], 1),
    "two edits": Result([reported(ODD, fix("Call it", Edit(0, 0, "import é\n"), Edit(14, 19, "net")))], 1),
    "odd text": Result([reported(ODD, message=HOSTILE)], 1),
    "a notebook": Result([in_a_notebook()], 1),
    "an error": Result([], 1, [{"path": "c:\\ä b.py", "message": "gone\nfor good"}]),
}


@pytest.fixture(params=list(RESULTS))
def result(request: pytest.FixtureRequest) -> Result:
    return RESULTS[request.param]


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


class TestSarif:
    def test_is_what_the_standard_says(self, result: Result) -> None:
        jsonschema.Draft4Validator(schema("sarif-2.1.0.json")).validate(json.loads(sarif.document(result, [rule()])))

    def test_has_the_page_of_a_rule_the_place_and_the_fix(self) -> None:
        (run,) = json.loads(sarif.document(RESULTS["a fix"], [rule()]))["runs"]
        assert [told["id"] for told in run["tool"]["driver"]["rules"]] == ["SEQ999"]
        assert "## Measured" in run["tool"]["driver"]["rules"][0]["help"]["markdown"]
        (found,) = run["results"]
        place = found["locations"][0]["physicalLocation"]
        assert (found["ruleId"], found["level"], place["artifactLocation"]["uri"]) == ("SEQ999", "error", "a.py")
        assert place["region"] == {"startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 14}
        (change,) = found["fixes"][0]["artifactChanges"]
        assert change["replacements"][0]["insertedContent"] == {"text": "net"}
        assert change["replacements"][0]["deletedRegion"] == place["region"]

    def test_the_cell_of_a_notebook_is_named(self) -> None:
        (found,) = json.loads(sarif.document(RESULTS["a notebook"], []))["runs"][0]["results"]
        (place,) = found["locations"]
        assert place["logicalLocations"][0]["name"] == "cell 2"
        assert place["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.ipynb"
        assert found["message"]["text"].startswith("cell 2:1:1: ")

    def test_what_could_not_be_read_is_a_run_that_failed(self) -> None:
        (run,) = json.loads(sarif.document(RESULTS["an error"], []))["runs"]
        assert run["invocations"][0]["executionSuccessful"] is False
        assert "gone" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


class TestReviewdog:
    def test_is_what_its_schema_says(self, result: Result) -> None:
        jsonschema.Draft4Validator(schema("rdjson.json")).validate(json.loads(rdjson.document(result)))

    def test_columns_count_bytes(self) -> None:
        (found,) = json.loads(rdjson.document(RESULTS["a fix"]))["diagnostics"]
        at = {"start": {"line": 2, "column": 10}, "end": {"line": 2, "column": 15}}
        assert found["location"]["range"] == at
        assert found["suggestions"] == [{"range": at, "text": "net"}]

    def test_a_fix_of_several_edits_is_no_suggestion(self) -> None:
        (found,) = json.loads(rdjson.document(RESULTS["two edits"]))["diagnostics"]
        assert "suggestions" not in found


class TestGitlab:
    def test_equal_findings_have_fingerprints_of_their_own_that_moved_lines_keep(self) -> None:
        twice = [reported("«x»\n"), reported("«x»\n")]
        moved = [reported("\n# more\n«x»\n"), reported("\n\n\n«x»\n")]
        first, second = (found["fingerprint"] for found in json.loads(gitlab.document(Result(twice, 1))))
        assert first != second
        assert [found["fingerprint"] for found in json.loads(gitlab.document(Result(moved, 1)))] == [first, second]

    def test_has_what_gitlab_shows(self) -> None:
        (found,) = json.loads(gitlab.document(RESULTS["a fix"]))
        assert (found["check_name"], found["severity"]) == ("SEQ999", "major")
        assert found["location"] == {"path": "a.py", "lines": {"begin": 2, "end": 2}}


class TestCommands:
    def test_github_takes_one_command_a_line_whatever_the_text(self, result: Result) -> None:
        lines = github.document(result).split("\n")[:-1]
        assert len(lines) == len(result.findings) + len(result.errors)
        assert all(re.fullmatch(r"::(error|warning|notice) (\w+=[^,:]*,)+\w+=[^,:]*::.*", line) for line in lines)

    def test_github_shows_the_span(self) -> None:
        assert github.document(RESULTS["a fix"]) == (
            "::error title=seqlint (SEQ999),file=a.py,line=2,endLine=2,col=9,endColumn=14::this is wrong\n"
        )

    def test_azure_takes_one_command_a_line_whatever_the_text(self, result: Result) -> None:
        told = azure.document(result)
        assert told.count("\n") == told.count("##vso[task.logissue ") == len(result.findings) + len(result.errors)
        assert all(
            re.match(r"##vso\[task\.logissue type=(error|warning);[^\]\n]*\]", line) for line in told.split("\n")[:-1]
        )


class TestJunit:
    def test_is_xml_with_a_failed_test_a_finding(self, result: Result) -> None:
        root = ElementTree.fromstring(junit.document(result).encode())
        assert len(root.findall(".//failure")) == len(result.findings)
        assert len(root.findall(".//error")) == len(result.errors)

    def test_nothing_found_is_a_test_that_passes(self) -> None:
        root = ElementTree.fromstring(junit.document(RESULTS["nothing"]).encode())
        assert [(test.get("name"), len(test)) for test in root.iter("testcase")] == [("no findings", 0)]


class TestLines:
    def test_grouped_names_each_file_once(self) -> None:
        one = reported(ODD, fix("Call it", Edit(14, 19, "net"), contract=UNSAFE))
        assert grouped.document(Result([one, one], 1)) == (
            "a.py:\n" + "  2:9  error  SEQ999  this is wrong [unsafe fix]\n" * 2
        )

    def test_pylint_has_the_line_the_code_and_the_name(self) -> None:
        assert pylint.document(RESULTS["a fix"]) == "a.py:2: [SEQ999(made-up)] this is wrong\n"
