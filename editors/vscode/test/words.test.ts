import assert from "node:assert/strict";
import { test } from "node:test";
import { notebookSettingProblem } from "../src/notebooks";
import { show } from "../src/status";
import { fillIn } from "../src/variables";

const AROUND = {
  home: "/home/mara",
  folder: "/home/mara/apples",
  folders: { apples: "/home/mara/apples", pears: "/home/mara/pears" },
  environment: { VIRTUAL_ENV: "/opt/env" },
};

test("variables of a setting are filled in", () => {
  assert.equal(fillIn("${workspaceFolder}/.venv/bin/python", AROUND), "/home/mara/apples/.venv/bin/python");
  assert.equal(fillIn("${workspaceFolder:pears}/seqlint.toml", AROUND), "/home/mara/pears/seqlint.toml");
  assert.equal(fillIn("${env:VIRTUAL_ENV}/bin/python", AROUND), "/opt/env/bin/python");
  assert.equal(fillIn("~/bin/seqlint", AROUND), "/home/mara/bin/seqlint");
  assert.equal(fillIn("${userHome}/bin/seqlint", AROUND), "/home/mara/bin/seqlint");
});

test("what is no variable stays", () => {
  assert.equal(fillIn("/a/~/b", AROUND), "/a/~/b");
  assert.equal(fillIn("${workspaceFolder:plums}", AROUND), "${workspaceFolder:plums}");
  assert.equal(fillIn("${workspaceFolder}", { ...AROUND, folder: undefined }), "${workspaceFolder}");
  assert.equal(fillIn("C:\\a\\$&\\b", AROUND), "C:\\a\\$&\\b");
});

test("the status says which seqlint runs, and what is wrong", () => {
  const running = show({ kind: "running", version: "0.1.0", command: "python launch.py server", from: "the selected interpreter" });
  assert.match(running.tooltip, /seqlint 0\.1\.0, from the selected interpreter/);
  const failed = show({ kind: "failed", problem: "seqlint was not found." });
  assert.deepEqual([failed.level, failed.tooltip], ["error", "seqlint was not found."]);
});

test("an action on save that notebooks would run cell by cell is pointed out", () => {
  assert.match(notebookSettingProblem({ "source.fixAll.seqlint": "explicit" }) ?? "", /write "notebook\.source\.fixAll\.seqlint"/);
  assert.equal(notebookSettingProblem({ "notebook.source.fixAll.seqlint": "explicit", "source.fixAll": "explicit" }), undefined);
  assert.equal(notebookSettingProblem(undefined), undefined);
});
