// Drives the extension in a real VS Code: code-server in headless Chromium. README.md beside this file says how it is run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { Editor } from "./editor.mjs";
import { NOTEBOOK, notebook, sources } from "./notebook.mjs";

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, "../../../..");
const { values: given } = parseArgs({
  options: {
    "code-server": { type: "string" },
    python: { type: "string" },
    chromium: { type: "string", default: "/usr/bin/chromium" },
    vsix: { type: "string", default: path.join(HERE, "../../seqlint.vsix") },
    pictures: { type: "string" },
    log: { type: "string" },
  },
});

const PROGRAM = fs.readFileSync(path.join(ROOT, "fixtures/programs/evaluation_in_epoch_hook/program.py"), "utf8");
const lines = [];
let failed = 0;
let problems = [];

function say(line) {
  lines.push(line);
  console.log(line);
}

/** Does one thing that a user does, and says whether it came out as it must. */
async function step(name, does) {
  const begun = performance.now();
  try {
    const more = await does();
    say(`ok    ${seconds(begun)}  ${name}${more === undefined ? "" : `: ${more}`}`);
  } catch (error) {
    failed += 1;
    say(`FAIL  ${seconds(begun)}  ${name}: ${String(error.message).split("\n").slice(0, 6).join(" | ")}`);
    await editor.picture(`failed-${failed}`);
  }
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1).padStart(5)} s`;

/** What the command line makes of a file: the text that the editor must arrive at, too. */
function fixed(name, text, ...options) {
  const file = path.join(editor.folder("reference"), name);
  fs.writeFileSync(file, text);
  try {
    execFileSync(given.python, ["-m", "seqlint", "fix", "--no-cache", ...options, file], { cwd: path.dirname(file), stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw error; // Findings remain.
  }
  return fs.readFileSync(file, "utf8");
}

const editor = new Editor({
  entry: given["code-server"],
  chromium: given.chromium,
  vsix: given.vsix,
  pictures: given.pictures,
  settings: {
    "seqlint.interpreter": [given.python],
    "editor.codeActionsOnSave": { "source.fixAll.seqlint": "explicit" },
    "notebook.codeActionsOnSave": { "notebook.source.fixAll.seqlint": "explicit" },
  },
  files: {
    "apples.py": PROGRAM,
    "orchard.py": PROGRAM,
    "apples.ipynb": notebook(NOTEBOOK),
    "pathspec.py": 'raise SystemExit("a file of the workspace was imported in place of an installed module")\n',
  },
});

try {
  await step("VS Code opens the workspace", async () => {
    editor.setInWorkspace({});
    return `version ${await editor.start()}`;
  });

  await step("findings are underlined", async () => {
    await editor.open("apples.py");
    await editor.page.waitForSelector(".squiggly-error", { timeout: 120_000 });
    await editor.page.waitForSelector(".squiggly-warning");
    await editor.settle();
    await editor.picture("vscode-findings");
  });

  await step("the status bar says that it runs", async () => {
    const item = editor.page.locator(".statusbar-item", { hasText: "seqlint" });
    assert.match(await item.getAttribute("aria-label"), /seqlint/);
  });

  await step("the problems panel lists each finding once", async () => {
    problems = await editor.problems();
    await editor.picture("vscode-problems");
    assert.deepEqual(problems.map((one) => /SEQ\d+/.exec(one)?.[0]).sort(), ["SEQ102", "SEQ221"]);
  });

  await step("the rule's page is shown over a finding", async () => {
    await editor.closePanel();
    const shown = await editor.hover("evaluate");
    assert.match(shown, /SEQ102/);
    assert.match(shown, /Measured/);
    const words = problems.find((one) => one.includes("SEQ102")).split("seqlint")[0].trim();
    assert.equal(shown.replace(/\s+/g, " ").split(words).length, 2, `the hover does not have "${words}" once`);
    await editor.picture("vscode-hover");
    await editor.page.keyboard.press("Escape");
  });

  await step("the light bulb offers the fix and its safety", async () => {
    await editor.goTo(10, 12);
    const offered = await editor.quickFixes();
    await editor.picture("vscode-quick-fix");
    assert.ok(offered.some((one) => /^Safe: .*super\(\)\.__init__.*\(SEQ221\)/.test(one)), offered.join(" + "));
    return offered.join(" + ");
  });

  await step("a fix is proved on TensorFlow when asked for", async () => {
    await editor.chooseQuickFix(/verify this fix/);
    const message = await editor.notification();
    await editor.settle();
    await editor.picture("vscode-proof");
    await editor.dismissNotifications();
    assert.match(message, /^seqlint: /);
    return message;
  });

  await step("a quick fix changes what the command line changes", async () => {
    await editor.goTo(10, 12);
    await editor.quickFixes();
    await editor.chooseQuickFix(/Safe: .*super\(\)\.__init__/);
    await editor.saveWithoutActions();
    assert.equal(await editor.saved("apples.py"), fixed("apples.py", PROGRAM));
  });

  await step("fix on save gives the same bytes as seqlint fix", async () => {
    await editor.open("orchard.py");
    await editor.page.waitForSelector(".squiggly-warning", { timeout: 90_000 });
    await editor.goTo(41, 1);
    await editor.page.keyboard.press("End");
    await editor.page.keyboard.type("  # 🍎");
    await editor.save();
    const touched = PROGRAM.replace(/\n$/, "  # 🍎\n");
    assert.equal(await editor.saved("orchard.py", (text) => text.includes("🍎") && text.includes("**kwargs")), fixed("orchard.py", touched));
  });

  await step("findings are underlined in the cells of a notebook", async () => {
    await editor.open("apples.ipynb");
    await editor.page.waitForSelector(".cell .squiggly-warning, .cell .squiggly-error", { timeout: 120_000 });
    await editor.settle();
    await editor.picture("vscode-notebook");
  });

  await step("fix on save in a notebook that begins with a heading", async () => {
    await editor.typeInCell(1, "  # touched");
    await editor.save();
    const text = await editor.saved("apples.ipynb", (text) => text.includes("# touched") && text.includes("**kwargs"));
    const touched = NOTEBOOK.map((cell, number) => (number === 1 ? { ...cell, text: `${cell.text}  # touched` } : cell));
    assert.deepEqual(sources(text), sources(fixed("apples.ipynb", notebook(touched))));
    await editor.settle();
    await editor.picture("vscode-notebook-fixed");
  });

  await step("a rule's page opens beside the code", async () => {
    await editor.open("apples.py");
    await editor.command("seqlint: Explain Rule");
    await editor.answer("SEQ102");
    await editor.previewShows(/epoch-hook-runs-model/);
    await editor.settle();
    await editor.picture("vscode-page");
    await editor.closeOthers();
  });

  await step("all safe fixes by a command", async () => {
    editor.write("orchard.py", PROGRAM);
    await editor.open("orchard.py");
    await editor.page.waitForSelector(".squiggly-warning", { timeout: 90_000 });
    await editor.command("seqlint: Apply All Safe Fixes");
    await editor.page.waitForFunction(() => document.querySelector(".editor-instance .view-lines")?.textContent?.includes("**kwargs"));
    await editor.saveWithoutActions();
    assert.equal(await editor.saved("orchard.py"), fixed("orchard.py", PROGRAM));
  });

  await step("a setting changes findings at once", async () => {
    editor.setInWorkspace({ "seqlint.ignore": ["SEQ102"] });
    await editor.page.waitForFunction(() => document.querySelector(".squiggly-error") === null);
    editor.setInWorkspace({});
    await editor.page.waitForSelector(".squiggly-error");
  });

  await step("the server starts anew on command", async () => {
    await editor.command("seqlint: Restart Server");
    await editor.waitForLog(/^.*seqlint \d.*, from .*$/m, 2);
    await editor.page.waitForSelector(".squiggly-error", { timeout: 90_000 });
  });

  await step("the interpreter that is selected in the Python extension is followed", async () => {
    editor.setInWorkspace({ "python.selectedForTest": given.python });
    await editor.page.waitForTimeout(4000);
    await editor.set({ "seqlint.interpreter": null });
    await editor.waitForLog(/seqlint \d.*, from the selected interpreter/, 1);
    await editor.settle();
    await editor.page.waitForSelector(".squiggly-error", { timeout: 90_000 });
  });

  await step("one message with a remedy where there is no seqlint", async () => {
    await editor.set({ "seqlint.interpreter": ["/usr/bin/python-of-nobody"] });
    await editor.page.locator(".notification-toast", { hasText: "seqlint.interpreter" }).waitFor();
    const message = await editor.notification();
    assert.match(message, /seqlint does not start from the setting seqlint\.interpreter/);
    await editor.settle();
    await editor.picture("vscode-not-found");
    await editor.pressInNotification("Open Settings");
    await editor.page.waitForSelector('.settings-editor [aria-label*="Python interpreter that has seqlint"], .settings-editor .setting-item');
    await editor.settle();
    await editor.picture("vscode-settings");
  });
} finally {
  await editor.stop();
}

say(failed === 0 ? "All as it must be." : `${failed} failed.`);
if (given.log !== undefined) fs.writeFileSync(given.log, `${lines.join("\n")}\n`);
process.exitCode = failed === 0 ? 0 : 1;
