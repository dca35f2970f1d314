"""What an editor gets from the server, whichever editor it is."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types as lsp

import seqlint
from seqlint.baseline import NAME, Baseline, key_of, written
from seqlint.config import load_config, trust
from seqlint.sources import Source
from tests.server.editor import Editor

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.asyncio(loop_scope="session")

COUNTED = """import keras
import numpy as np

passes = 0


class Tides(keras.utils.PyDataset):
    def __init__(self, levels, batch_size=32):
        self.levels = levels
        self.batch_size = batch_size

    def __len__(self):
        return int(np.ceil(len(self.levels) / self.batch_size))

    def __getitem__(self, index):
        rows = self.levels[index * self.batch_size : (index + 1) * self.batch_size]
        return rows, rows

    def on_epoch_end(self):
        global passes
        passes += 1


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse")
model.fit(Tides(np.zeros((8, 1), "float32")), epochs=2)
"""
BARE = COUNTED[: COUNTED.index("    def on_epoch_end")] + COUNTED[COUNTED.index("\nmodel = ") :]
GOOD = BARE.replace("        self.levels = levels\n", "        super().__init__()\n        self.levels = levels\n")


def all_of(text: str) -> lsp.Range:
    return lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n") + 1, 0))


@pytest.mark.parametrize("lead", ["", "# A comment\n", "x = 1; "])
async def test_a_byte_order_mark_is_counted_as_the_editor_counts_it(editor: Editor, lead: str) -> None:
    text = f"\ufeff{lead}{BARE}"
    uri = editor.open("marked.py", text)
    (found,) = await editor.diagnostics(uri)
    assert found.range.start == editor.position(text, text.index("def __init__"))
    (fix,) = (
        action for action in await editor.actions(uri, found.range, ["quickfix"]) if action.title.startswith("Safe: ")
    )
    editor.apply(fix.edit)
    assert editor.texts[uri] == seqlint.fix_source(text, path=str(editor.folder / "marked.py")).text
    assert await editor.codes(uri) == []


async def test_a_finding_on_the_line_of_a_byte_order_mark_is_where_it_stands(editor: Editor) -> None:
    text = "\ufefffrom tensorflow import keras; keras.models.Sequential().fit(print, workers=4)\n"
    uri = editor.open("first.py", text)
    (found,) = (one for one in await editor.diagnostics(uri) if one.code == "SEQ701")
    assert found.range.start == editor.position(text, text.index("workers"))
    await editor.hover(uri, found.range.start)
    assert "SEQ701" in await editor.hover(uri, found.range.start)


async def test_diagnostics_come_with_level_code_and_place(editor: Editor) -> None:
    uri = editor.open("levels.py", COUNTED)
    found = await editor.diagnostics(uri)
    checked = seqlint.check_source(COUNTED, path=str(editor.folder / "levels.py"), keras=">=3.10")
    assert [(d.code, d.message) for d in found] == [(d.code, d.message) for d in checked.diagnostics]
    (global_one,) = (d for d in found if d.code == "SEQ101")
    assert global_one.severity == lsp.DiagnosticSeverity.Error
    assert global_one.source == "seqlint"
    assert global_one.range.start == lsp.Position(COUNTED[: COUNTED.index("passes += 1")].count("\n"), 8)


async def test_what_the_baseline_holds_is_a_faint_hint(editor: Editor) -> None:
    uri = editor.open("known.py", COUNTED)
    before = await editor.diagnostics(uri)
    assert lsp.DiagnosticSeverity.Hint not in {one.severity for one in before}
    source = Source("known.py", COUNTED)
    checked = seqlint.check_source(COUNTED, path="known.py")
    keys = Counter(key_of(one, source) for one in checked.diagnostics if one.code == before[0].code)
    file = editor.folder / NAME
    file.write_bytes(written(Baseline(file, {"known.py": keys})))
    change = lsp.FileEvent(file.as_uri(), lsp.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
    editor.replace(uri, "# moved\n" + COUNTED)
    found = await editor.diagnostics(uri)
    hints = [one for one in found if one.severity == lsp.DiagnosticSeverity.Hint]
    assert [one.code for one in hints] == [before[0].code]
    assert [tuple(one.tags or ()) for one in hints] == [(lsp.DiagnosticTag.Unnecessary,)]
    assert len(found) == len(before)
    file.unlink()


async def test_a_text_that_changes_is_checked_again(editor: Editor) -> None:
    uri = editor.open("changes.py", GOOD)
    assert await editor.codes(uri) == []
    start = GOOD.index("        super().__init__()")
    editor.type(uri, start, start + len("        super().__init__()\n"), "")
    assert await editor.codes(uri) == ["SEQ221"]
    editor.type(uri, start, start, "        super().__init__()\n")
    assert await editor.codes(uri) == []


async def test_a_text_that_does_not_parse_and_then_does(editor: Editor) -> None:
    uri = editor.open("broken.py", BARE)
    assert await editor.codes(uri) == ["SEQ221"]
    place = BARE.index("        self.levels")
    editor.type(uri, place, place, "        (((\n")
    assert await editor.codes(uri) == ["SEQ001"]
    editor.type(uri, place, place + len("        (((\n"), "")
    assert await editor.codes(uri) == ["SEQ221"]


async def test_a_hundred_fast_edits_end_in_the_right_diagnostics(editor: Editor) -> None:
    uri = editor.open("fast.py", BARE)
    place = BARE.index("        self.levels")
    word = "        # one key after the other, as fast as the wire takes them, and no thought between\n"
    for offset, letter in enumerate((word * 2)[:100]):
        editor.type(uri, place + offset, place + offset, letter)
    assert await editor.codes(uri) == [str(d.code) for d in seqlint.check_source(editor.texts[uri]).diagnostics]
    await editor.settled()
    versions = [sent.version or 0 for sent in editor.published.get(uri, [])]
    assert versions == sorted(set(versions)), "each version once, and never an older one after a newer"
    assert len(versions) < 60, "a burst is not checked key by key"


async def test_positions_count_what_the_editor_counts(editor: Editor) -> None:
    text = "# 🌊\n" + BARE.replace("class Tides(", "wave = '🌊🌊'; x = 1\n\n\nclass Tides(").replace(
        "model.fit(", "_ = '🌊', model.fit("
    ).replace("epochs=2)", "epochs=2, workers=4)")
    uri = editor.open("waves.py", text)
    (found,) = (d for d in await editor.diagnostics(uri) if d.code == "SEQ701")
    line = text.splitlines()[found.range.start.line]
    before = line[: line.index("workers")]
    width = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}
    assert found.range.start.character == width[editor.encoding]


async def test_form_feeds_and_old_newlines_do_not_shift_lines(editor: Editor) -> None:
    text = BARE.replace("\n\n\nclass", "\n\f\n\u2028 = 1\nclass".replace("\u2028 = 1", "x = '\u2028'"))
    uri = editor.open("feeds.py", text)
    place = text.index("self.batch_size = batch_size")
    editor.type(uri, place, place, "self.name = 1\n        ")
    (found,) = await editor.diagnostics(uri)
    lines = editor.texts[uri].replace("\r\n", "\n").split("\n")
    assert "def __init__" in lines[found.range.start.line]


async def test_a_quick_fix_gives_what_fix_gives(editor: Editor) -> None:
    uri = editor.open("quick.py", BARE)
    (found,) = await editor.diagnostics(uri)
    actions = await editor.actions(uri, found.range, ["quickfix"])
    (fix,) = (action for action in actions if action.title.startswith("Safe: "))
    assert fix.title.endswith("(SEQ221)")
    assert fix.is_preferred
    editor.apply(fix.edit)
    assert editor.texts[uri] == seqlint.fix_source(BARE, path=str(editor.folder / "quick.py")).source.text
    assert await editor.codes(uri) == []


async def test_a_fix_that_would_be_refused_is_not_offered(editor: Editor) -> None:
    text = "import keras\n\n\ndef knots(rows):\n    class Knots(keras.utils.PyDataset):\n        def on_epcoh_end(self):\n            rows.reverse()\n\n    return Knots()\n"
    uri = editor.open("knots.py", text)
    (found,) = await editor.diagnostics(uri)
    titles = [action.title for action in await editor.actions(uri, found.range)]
    assert sorted(titles) == ["SEQ106: explain", "SEQ106: ignore here"]


async def test_an_unsafe_fix_says_what_it_changes(editor: Editor) -> None:
    uri = editor.open("unsafe.py", COUNTED)
    (found,) = (d for d in await editor.diagnostics(uri) if d.code == "SEQ101")
    (fix,) = (action for action in await editor.actions(uri, found.range) if action.title.startswith("Unsafe: "))
    assert fix.title.endswith("(SEQ101, changes hooks and state)")
    assert not fix.is_preferred


async def test_fix_all_gives_what_fix_gives(editor: Editor) -> None:
    text = COUNTED.replace("epochs=2)", "epochs=2, workers=4)  # 🌊")
    uri = editor.open("all.py", text)
    await editor.diagnostics(uri)
    config = load_config(editor.folder)
    fixed = seqlint.fix_source(text, path=str(editor.folder / "all.py"), config=config).source.text
    assert fixed != text
    for only in (["source.fixAll"], ["source.fixAll.seqlint"]):
        (action,) = await editor.actions(uri, all_of(text), only)
        assert action.kind == "source.fixAll.seqlint"
    editor.apply(action.edit)
    assert editor.texts[uri] == fixed


async def test_fix_all_leaves_unsafe_fixes_alone(editor: Editor) -> None:
    uri = editor.open("alone.py", COUNTED)
    (action,) = await editor.actions(uri, all_of(COUNTED), ["source.fixAll.seqlint"])
    editor.apply(action.edit)
    assert "global passes" in editor.texts[uri]


async def test_the_command_fixes_all(editor: Editor) -> None:
    uri = editor.open("command.py", BARE)
    assert await editor.run("seqlint.fixAll", uri) is True
    assert await editor.codes(uri) == []
    assert await editor.run("seqlint.fixAll", uri) is False


async def test_a_finding_is_ignored_where_it_stands(editor: Editor) -> None:
    uri = editor.open("ignored.py", COUNTED)
    before = await editor.diagnostics(uri)
    for found in reversed(before):
        (ignore,) = (
            action for action in await editor.actions(uri, found.range) if action.title == f"{found.code}: ignore here"
        )
        editor.apply(ignore.edit)
    assert await editor.codes(uri) == []
    assert editor.texts[uri].count("# seqlint: ignore[") == len(before)


async def test_hover_shows_what_was_measured(editor: Editor) -> None:
    uri = editor.open("hovered.py", COUNTED)
    (found,) = (d for d in await editor.diagnostics(uri) if d.code == "SEQ101")
    shown = await editor.hover(uri, found.range.start)
    assert "**SEQ101 epoch-hook-global-state**" in shown
    assert all(line == "" or line[0] in "*-" or line[-1] in ".;:*" for line in shown.splitlines())
    assert "**Measured**" in shown
    assert await editor.hover(uri, lsp.Position(0, 0)) == ""


async def test_hover_over_a_dataset_shows_its_chain_and_what_its_reader_gets(editor: Editor) -> None:
    text = (
        "import tensorflow as tf\n\nrows = tf.data.TFRecordDataset('rows')\n"
        "rows = rows.shuffle(100).batch(8)\nmodel = tf.keras.Sequential()\nmodel.fit(rows)\n"
    )
    uri = editor.open("pipeline.py", text)
    await editor.diagnostics(uri)
    shown = await editor.hover(uri, editor.position(text, text.rindex("rows")))
    assert shown.startswith("**dataset** `rows`")
    assert "2. `shuffle(100)` (line 4)\n3. `batch(8)` (line 4)" in shown
    assert "- element: a tensor\n- length not known\n- batched\n- shuffled again in each epoch\n- not cached" in shown
    step = await editor.hover(uri, editor.position(text, text.index("shuffle")))
    assert "2. `shuffle(100)` (line 4)" in step
    assert "batch" not in step.replace("not batched", "")
    assert await editor.hover(uri, editor.position(text, text.index("Sequential"))) == ""


async def test_hover_over_a_suppression_shows_the_rule(editor: Editor) -> None:
    text = COUNTED.replace("passes += 1", "passes += 1  # seqlint: ignore[SEQ101] counted on purpose")
    uri = editor.open("suppressed.py", text)
    at = editor.position(text, text.index("SEQ101") + 2)
    assert (await editor.hover(uri, at)).startswith("# SEQ101 epoch-hook-global-state")


async def test_explain_answers_with_the_page(editor: Editor) -> None:
    page = await editor.run("seqlint.explain", "SEQ201")
    assert page.startswith("# SEQ201 swallowed-exception")
    assert await editor.run("seqlint.explain", "SEQ999") == ""


async def test_a_base_class_in_another_file_counts_and_its_change_too(editor: Editor) -> None:
    base = "import keras\n\n\nclass Base(keras.utils.PyDataset):\n    pass\n"
    (editor.folder / "bases.py").write_text(base)
    text = BARE.replace("import keras\n", "import keras\nfrom bases import Base\n").replace(
        "keras.utils.PyDataset", "Base"
    )
    (editor.folder / "child.py").write_text(text)
    other = editor.open("bases.py", base)
    uri = editor.open("child.py", text)
    assert await editor.codes(uri) == ["SEQ221"]
    editor.replace(other, "class Base:\n    pass\n")
    editor.save(other)
    if editor.pulls:
        assert await editor.codes(uri) == []
    else:
        await editor.sent(uri, lambda sent: not sent.diagnostics)


async def test_a_configuration_that_changes_counts_at_once(editor: Editor) -> None:
    folder = editor.folder / "own"
    folder.mkdir(exist_ok=True)
    config = folder / "seqlint.toml"
    config.write_text('ignore = ["SEQ221"]\n')
    uri = editor.open("own/bare.py", BARE)
    assert await editor.codes(uri) == []
    config.write_text("")
    change = lsp.FileEvent(config.as_uri(), lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
    if editor.pulls:
        assert await editor.codes(uri) == ["SEQ221"]
    else:
        assert await editor.sent(uri, lambda sent: sent.diagnostics)


async def test_a_wrong_configuration_is_said_and_the_server_lives(editor: Editor) -> None:
    folder = editor.folder / "wrong"
    folder.mkdir(exist_ok=True)
    (folder / "seqlint.toml").write_text("selct = []\n")
    uri = editor.open("wrong/bare.py", BARE)
    assert await editor.codes(uri) == []
    assert any("selct" in said and "select" in said for said in editor.said())
    assert await editor.codes(editor.open("lives.py", BARE)) == ["SEQ221"]


async def test_a_rule_that_crashes_does_not_end_the_server(editor: Editor) -> None:
    folder = editor.folder / "house"
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "seqlint.toml").write_text('rules = ["rules"]\n')
    (folder / "rules" / "own901_falls_over.py").write_text(
        '"""Falls over.\n\n## Why\nTo see.\n\n## Measured\n- Nothing.\n\n## Do this\nNothing.\n"""\n'
        "from seqlint.api import Levels, Rule\n\n"
        'RULE = Rule(code="OWN901", name="falls-over", since="0.1.0", levels=Levels.everywhere("error"))\n\n\n'
        "def check(facts):\n    raise RuntimeError('over')\n    yield\n"
    )
    trust.trust(folder / "rules")
    uri = editor.open("house/bare.py", BARE)
    assert sorted(await editor.codes(uri)) == ["SEQ002", "SEQ221"]
    assert await editor.codes(editor.open("still.py", BARE)) == ["SEQ221"]


async def test_libraries_and_files_without_keras_are_left_alone(editor: Editor) -> None:
    assert await editor.codes(editor.open("site-packages/kept/bare.py", BARE)) == []
    assert await editor.codes(editor.open("plain.py", "def broken(:\n")) == []


async def test_what_is_closed_is_cleared(editor: Editor) -> None:
    uri = editor.open("closed.py", BARE)
    await editor.diagnostics(uri)
    editor.close(uri)
    assert await editor.sent(uri, lambda sent: not sent.diagnostics) == []


async def test_a_question_that_is_cancelled_stops_nothing(editor: Editor) -> None:
    uri = editor.open("cancelled.py", COUNTED * 20)
    place = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(20, 10))
    task = asyncio.ensure_future(editor.client.text_document_hover_async(place))
    await asyncio.sleep(0)
    number = next(reversed(editor.client.protocol._request_futures))
    editor.client.cancel_request(lsp.CancelParams(number))
    with pytest.raises(Exception, match=r"(?i)cancel"):
        await task
    assert "SEQ101" in await editor.codes(uri)


async def test_no_diagnostics_come_twice(editor: Editor) -> None:
    """An editor that asks for diagnostics gets none without asking, and the other way round."""
    uri = editor.open("twice.py", BARE)
    assert await editor.codes(uri) == ["SEQ221"]
    await editor.settled()
    assert (uri in editor.published) is not editor.pulls
    assert (editor.server.capabilities.diagnostic_provider is not None) is editor.pulls


async def test_an_unsaved_file_is_checked(editor: Editor) -> None:
    uri = "untitled:Untitled-1"
    editor.texts[uri], editor.versions[uri] = BARE, 1
    item = lsp.TextDocumentItem(uri, "python", 1, BARE)
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    assert await editor.codes(uri) == ["SEQ221"]
    titles = [action.title for action in await editor.actions(uri, all_of(BARE))]
    assert not any("verify" in title for title in titles), "what is not on the disk can't be run"


async def test_pages_are_checked_block_by_block(editor: Editor) -> None:
    page = f"# Tides 🌊\n\n- how to read them:\n\n  ```python\n{indented(BARE)}  ```\n\n  and so on\n"
    uri = editor.open("tides.md", page)
    (found,) = await editor.diagnostics(uri)
    assert found.range.start == lsp.Position(page[: page.index("    def __init__")].count("\n"), 6)
    actions = await editor.actions(uri, found.range, ["quickfix"])
    assert not [action.title for action in actions if "verify" in action.title or "ignore" in action.title]
    editor.apply(next(action.edit for action in actions if action.title.startswith("Safe: ")))
    assert editor.texts[uri] == page.replace(
        "batch_size=32):\n", "batch_size=32, **kwargs):\n          super().__init__(**kwargs)\n"
    )


async def test_each_workspace_folder_has_its_settings(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    editor = await Editor.start("visual_studio_code", first)
    try:
        in_first = editor.open("bare.py", BARE)
        assert await editor.codes(in_first) == ["SEQ221"]
        editor.client.set_configuration({"ignore": ["SEQ221"]}, section="seqlint", scope_uri=second.as_uri())
        added = lsp.WorkspaceFoldersChangeEvent([lsp.WorkspaceFolder(second.as_uri(), "second")], [])
        editor.client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(added))
        in_second = editor.open("../second/bare.py", BARE)
        await editor.sent(in_second, lambda sent: not sent.diagnostics)
        editor.type(in_first, 0, 0, "# a line\n")
        assert await editor.codes(in_first) == ["SEQ221"]
        editor.type(in_second, 0, 0, "# a line\n")
        assert await editor.codes(in_second) == []
    finally:
        await editor.stop()


async def test_settings_that_change_count_at_once(tmp_path: Path) -> None:
    editor = await Editor.start("emacs", tmp_path)
    try:
        uri = editor.open("bare.py", BARE)
        assert await editor.codes(uri) == ["SEQ221"]
        settings = {"seqlint": {"enable": False}}
        editor.client.set_configuration(settings["seqlint"], section="seqlint")
        editor.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings))
        await editor.sent(uri, lambda sent: not sent.diagnostics)
    finally:
        await editor.stop()


async def test_only_what_is_saved_is_checked_where_that_is_asked_for(tmp_path: Path) -> None:
    editor = await Editor.start("visual_studio_code", tmp_path, {"run": "onSave"})
    try:
        uri = editor.open("bare.py", GOOD)
        assert await editor.codes(uri) == []
        editor.replace(uri, BARE)
        await editor.settled()
        assert [sent.version for sent in editor.published[uri]] == [1]
        editor.save(uri)
        assert await editor.codes(uri) == ["SEQ221"]
    finally:
        await editor.stop()


def indented(text: str) -> str:
    return "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))


async def test_settings_of_the_editor_hold(tmp_path: Path) -> None:
    options = {"select": ["SEQ101"], "showSyntaxErrors": False, "select2": 1, "run": "sometimes"}
    editor = await Editor.start("neovim", tmp_path, options)
    try:
        assert await editor.codes(editor.open("a.py", COUNTED)) == ["SEQ101"]
        assert await editor.codes(editor.open("b.py", "import keras\n(((\n")) == []
        assert any("seqlint.run can't be 'sometimes'" in said for said in editor.said())
    finally:
        await editor.stop()
