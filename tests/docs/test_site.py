"""The documentation's site: it builds, no link in it is broken, and findings lead to the pages of their rules."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from filelock import FileLock

from seqlint.output import links
from seqlint.output.prose import sections
from seqlint.output.words import fixability
from seqlint.runner.rules import known
from website import hooks, pages

ROOT = Path(__file__).parents[2]
RULES = known(())


@dataclass
class Html(HTMLParser):
    """The names that a page can be linked by, its links, what a browser fetches for it, and its text."""

    names: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if "src" in given or (tag == "link" and given.get("rel") != "canonical"):
            self.fetched.append(given.get("src") or given["href"])

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `scripts/docs` builds it, once for all processes of a run."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if os.environ.get("PYTEST_XDIST_WORKER") else shared
    folder = shared / "site"
    with FileLock(shared / "site.lock"):
        if not folder.exists():
            build(shared / "building")
            (shared / "building").rename(folder)
    return folder


def build(folder: Path) -> None:
    command = (sys.executable, "-m", "mkdocs", "build", "--config-file", "website/mkdocs.yml", "--site-dir", folder)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def html(site: Path) -> dict[Path, Html]:
    read = {path: Html() for path in site.rglob("*.html")}
    for path, parser in read.items():
        parser.feed(path.read_text(encoding="utf-8"))
    return read


def leads_to(site: Path, page: Path, link: str) -> Path:
    """The file that a link of the site leads to."""
    parts = urlsplit(link)
    path = unquote(parts.path)
    base = urlsplit(links.documentation()).path
    target = site / path.removeprefix(base) if path.startswith("/") else page.parent / path
    found = (target if parts.path else page).resolve()
    return found / "index.html" if found.is_dir() else found


def test_no_link_is_broken(site: Path, html: dict[Path, Html]) -> None:
    broken = set()
    for page, parser in html.items():
        for link in {*parser.links, *parser.fetched}:
            if urlsplit(link).scheme:
                continue
            target, anchor = leads_to(site, page, link), unquote(urlsplit(link).fragment)
            if not target.is_file() or (anchor and target in html and anchor not in html[target].names):
                broken.add((page.relative_to(site).as_posix(), link))
    assert not broken


def test_a_browser_fetches_nothing_from_elsewhere(site: Path, html: dict[Path, Html]) -> None:
    assert {link for parser in html.values() for link in parser.fetched if urlsplit(link).netloc} == set()
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet


def test_findings_lead_to_the_page_of_their_rule(site: Path, html: dict[Path, Html]) -> None:
    for loaded in RULES:
        address = links.page_of(loaded.rule.code)
        page = site / address.removeprefix(links.documentation()) / "index.html"
        text = "".join(html[page].text)
        assert f"{loaded.rule.code} {loaded.rule.name}" in text
        assert [heading for heading in sections(loaded) if heading not in text] == []
        assert ("Before and after" in text) == (fixability(loaded.rule) != "none")
        assert all(source in text for source in loaded.rule.sources)


def test_the_address_is_stated_once() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (address,) = re.findall(r'^Documentation = "(.*)"$', project, re.MULTILINE)
    assert links.documentation() == address
    assert address not in (ROOT / "website/mkdocs.yml").read_text(encoding="utf-8")


def test_the_search_finds_each_rule(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"] for entry in index["docs"]}
    assert {f"rules/{loaded.rule.code}/" for loaded in RULES} <= found


def test_a_family_lists_its_rules(html: dict[Path, Html], site: Path) -> None:
    for digit, members in pages.families(RULES).items():
        leads = html[site / f"rules/{digit}/index.html"].links
        assert {f"../{loaded.rule.code}/" for loaded in members} <= set(leads)


def test_the_site_has_the_options_of_each_command_and_the_functions_of_the_api(
    site: Path, html: dict[Path, Html]
) -> None:
    commands = "".join(html[site / "commands/index.html"].text)
    assert all(f"Usage: seqlint {command}" in commands for command in pages.COMMANDS)
    assert {"--file-time-limit", "--factory", "--revoke"} <= set(re.findall(r"--[\w-]+", commands))
    assert {"seqlint.check_source", "seqlint.fix_source", "seqlint.model.Diagnostic"} <= html[
        site / "reference/index.html"
    ].names


def test_codes_in_prose_are_links() -> None:
    text = "See SEQ101 and `SEQ101`.\n\n```python\n# SEQ101\n```\n"
    assert pages.linked(text, {"SEQ101"}, "rules/") == text.replace("See SEQ101", "See [SEQ101](rules/SEQ101.md)")
    assert pages.linked("# SEQ101\n", {"SEQ101"}, "") == "# SEQ101\n"
    assert pages.linked("SEQ999, not SEQ101s\n", {"SEQ101"}, "") == "SEQ999, not SEQ101s\n"


@pytest.mark.parametrize(
    ("place", "target", "link"),
    [
        ("index.md", "docs/rules.md", "rules.md"),
        ("index.md", "CONTRIBUTING.md", "contributing.md"),
        ("trust.md", "editors/README.md", "editors/README.md"),
        ("editors/README.md", "../trust.md", "../trust.md"),
        ("faq.md", "../CONTRIBUTING.md", "contributing.md"),
        ("editors/emacs.md", "../../editors/emacs/seqlint.el", "../files/editors/emacs/seqlint.el"),
        ("editors/zed.md", "../../editors/zed", "../files/editors/zed/index.md"),
        ("benchmarks/README.md", "NOTES.md", "NOTES.md"),
    ],
)
def test_links_of_the_repository_become_links_of_the_site(place: str, target: str, link: str) -> None:
    assert hooks.relinked(place, target) == link
