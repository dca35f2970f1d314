"""What mkdocs asks: the pages that are made, the pages that lie outside of docs/, and links that are right on the site as well.

The pages of docs/ are read in the repository, too. So their links lead to files of the repository, and here to what the site makes of
these: a page, or a copy of the file.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from mkdocs.structure.files import File  # noqa: E402

from seqlint.output import links  # noqa: E402
from seqlint.runner.rules import known  # noqa: E402
from website import pages  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks/README.md",
    "benchmarks/NOTES.md": "benchmarks/NOTES.md",
}
"""Pages of the repository outside of docs/, and their places on the site."""

_PLACES = {place: path for path, place in OUTSIDE.items()}
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))")
_HELP, _REFERENCE = "<!-- help: made for the site -->", "<!-- reference: made for the site -->"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give the site the address that findings link to, and its navigation the pages of the rules."""
    config.site_url = links.documentation()
    (rules,) = (entry["Rules"] for entry in config.nav or () if isinstance(entry, dict) and "Rules" in entry)
    rules.extend(pages.navigation(known(())))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the made pages, those outside of docs/, and the files of the repository that pages link to."""
    for place, text in pages.made().items():
        files.append(File.generated(config, place, content=text))
    for path, place in OUTSIDE.items():
        files.append(File.generated(config, place, content=(ROOT / path).read_text(encoding="utf-8")))
    linked = {path for file in files.documentation_pages() for path in _linked(file)}
    folders = {path: _files_of(path) for path in linked if (ROOT / path).is_dir()}
    for folder, members in folders.items():
        names = [member.removeprefix(f"{folder}/") for member in members]
        files.append(File.generated(config, f"{copy(folder)}/index.md", content=pages.folder_page(folder, names)))
    for path in sorted((linked - set(folders)).union(*folders.values())):
        files.append(File.generated(config, copy(path), abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page with the parts that are made, and with links that are right on the site."""
    place = page.file.src_uri
    if place.startswith("files/"):
        return markdown
    markdown = markdown.replace(_HELP, f"## All options\n\n{pages.options()}")
    markdown = markdown.replace(_REFERENCE, "All functions and classes: [Python reference](reference.md).")
    if place == "rules.md":
        codes = {Path(name).stem for name in pages.made() if name.startswith("rules/")}
        markdown = pages.linked(markdown, codes, folder="rules/")
    return _LINK.sub(lambda link: relinked(place, link["path"]) + (link["anchor"] or ""), markdown)


def copy(path: str) -> str:
    """The place of a file of the repository on the site."""
    return f"files/{path}"


def relinked(place: str, target: str) -> str:
    """Where a link leads on the site.

    Args:
        place: the page that it stands on, as its place under docs/.
        target: the link in the repository, relative to the file of the page.
    """
    path = _path(place, target)
    here = posixpath.dirname(place)
    if path in OUTSIDE:
        return posixpath.relpath(OUTSIDE[path], here or ".")
    if path.startswith("docs/"):
        return posixpath.relpath(path.removeprefix("docs/"), here or ".")
    copied = f"{copy(path)}/index.md" if (ROOT / path).is_dir() else copy(path)
    return posixpath.relpath(copied, here or ".")


def _linked(file: File) -> set[str]:
    """The files and folders outside of docs/ that a page links to."""
    targets = (_path(file.src_uri, link["path"]) for link in _LINK.finditer(file.content_string))
    return {path for path in targets if not path.startswith("docs/") and path not in OUTSIDE and (ROOT / path).exists()}


def _files_of(folder: str) -> list[str]:
    """The files of a folder of the repository, relative to the repository."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file())


def _path(place: str, target: str) -> str:
    """The path in the repository that a link leads to."""
    base = _PLACES.get(place, f"docs/{place}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), target))
