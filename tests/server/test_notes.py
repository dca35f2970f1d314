"""What is told of a finding in addition to its message, and where: nothing is missing, and nothing is shown twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import seqlint
from seqlint import registry
from seqlint.output.links import page_of
from tests.server.editor import Editor, capabilities, documentation

if TYPE_CHECKING:
    from pathlib import Path

    from lsprotocol import types as lsp

    from seqlint.model import Diagnostic

pytestmark = pytest.mark.asyncio(loop_scope="session")

CODE = "SEQ605"
TEXT = next(loaded for loaded in registry.load(()) if loaded.rule.code == CODE).rule.examples[0].before


def expected() -> Diagnostic:
    """The finding, as the command line reports it; it has all the texts that a finding can have."""
    (found,) = (one for one in seqlint.check_source(TEXT, keras=">=3.10").diagnostics if one.code == CODE)
    assert found.note
    assert found.no_fix
    return found


async def shown(editor: Editor, name: str) -> tuple[lsp.Diagnostic, str]:
    """The finding, and the hover over it."""
    uri = editor.open(name, TEXT)
    (found,) = (one for one in await editor.diagnostics(uri) if one.code == CODE)
    return found, await editor.hover(uri, found.range.start)


def related(found: lsp.Diagnostic) -> list[str]:
    assert all(one.location.range == found.range for one in found.related_information or ())
    return [one.message for one in found.related_information or ()]


def can_relate(editor: Editor) -> bool:
    texts = editor.can.text_document
    return (
        texts is not None
        and texts.publish_diagnostics is not None
        and bool(texts.publish_diagnostics.related_information)
    )


def can_link(editor: Editor) -> bool:
    texts = editor.can.text_document
    return (
        texts is not None
        and texts.publish_diagnostics is not None
        and bool(texts.publish_diagnostics.code_description_support)
    )


async def test_notes_are_related_information_where_the_editor_shows_it(editor: Editor) -> None:
    found, _ = await shown(editor, "related.py")
    assert related(found) == (list(expected().notes) if can_relate(editor) else [])


async def test_the_code_links_to_the_page_of_the_rule_where_the_editor_can_follow(editor: Editor) -> None:
    found, _ = await shown(editor, "linked.py")
    address = found.code_description.href if found.code_description is not None else ""
    assert address == (page_of(CODE, documentation()) if can_link(editor) else "")


async def test_the_editors_differ_in_what_they_can() -> None:
    """Else the two tests above would show one side alone."""
    published = [
        texts.publish_diagnostics
        for name in ("visual_studio_code", "neovim", "emacs")
        if (texts := capabilities(name).text_document) is not None
    ]
    assert [bool(one and one.related_information) for one in published] == [True, True, False]
    assert [bool(one and one.code_description_support) for one in published] == [True, False, False]


async def test_each_text_is_shown_once_where_message_and_hover_show_together(editor: Editor) -> None:
    found, hover = await shown(editor, "together.py")
    everything = " ".join([found.message, *related(found), hover]).lower()
    for text in (expected().sentence, expected().note, expected().no_fix):
        assert everything.count(text.lower()) == 1, text


async def test_the_hover_has_all_texts_where_it_is_shown_alone(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.seqlint]\nkeras = ">=3.10"\n')
    editor = await Editor.start("neovim", tmp_path, options={"hoverAlone": True})
    try:
        _, hover = await shown(editor, "alone.py")
    finally:
        await editor.stop()
    for text in (expected().sentence, expected().note, expected().no_fix):
        assert hover.lower().count(text.lower()) == 1, text


async def test_a_finding_without_notes_has_no_related_information() -> None:
    assert replace(expected(), note="", help="", no_fix="").notes == ()
