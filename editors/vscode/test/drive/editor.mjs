// A VS Code in a temporary folder, and what a user does with its keys and its pointer.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const PORT = 8923;

/** Nothing on the screen but the code. */
const QUIET = {
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Light Modern",
  "workbench.tips.enabled": false,
  "workbench.layoutControl.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "window.commandCenter": false,
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  "extensions.ignoreRecommendations": true,
  "editor.minimap.enabled": false,
  "editor.fontSize": 14,
  "editor.lightbulb.enabled": "on",
  "explorer.openEditors.visible": 0,
  "outline.collapseItems": "alwaysCollapse",
  "files.simpleDialog.enable": true,
  "git.enabled": false,
  "files.exclude": { "pathspec.py": true, ".vscode": true },
};

const MACHINE = new Set(["seqlint.interpreter", "seqlint.path"]);

export class Editor {
  constructor({ entry, chromium, vsix, pictures, settings, files }) {
    Object.assign(this, { entry, chromium, vsix, pictures, settings: { ...QUIET, ...settings } });
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), "seqlint-editor-"));
    this.workspace = this.folder("apples");
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  folder(name) {
    const folder = path.join(this.home, name);
    fs.mkdirSync(folder, { recursive: true });
    return folder;
  }

  write(name, text) {
    fs.writeFileSync(path.join(this.workspace, name), text);
  }

  async set(settings) {
    for (const [name, value] of Object.entries(settings)) {
      if (value === null) delete this.settings[name];
      else this.settings[name] = value;
    }
    // Paths belong to the machine: VS Code passes over those that stand in the settings of a user whose server runs elsewhere.
    for (const [place, ofMachine] of [["data/User", false], ["data/Machine", true]]) {
      const some = Object.entries(this.settings).filter(([name]) => MACHINE.has(name) === ofMachine);
      fs.writeFileSync(path.join(this.folder(place), "settings.json"), JSON.stringify(Object.fromEntries(some), null, 2));
    }
  }

  setInWorkspace(settings) {
    fs.mkdirSync(path.join(this.workspace, ".vscode"), { recursive: true });
    this.write(".vscode/settings.json", JSON.stringify(settings));
  }

  /** @returns the version of VS Code */
  async start() {
    await this.set({});
    const shared = [this.entry, "--extensions-dir", this.folder("extensions"), "--user-data-dir", this.folder("data")];
    shared.push("--config", path.join(this.home, "config.yaml"));
    for (const vsix of [this.vsix, this.pack("python-extension")]) {
      execFileSync(process.execPath, [...shared, "--install-extension", vsix], { stdio: "pipe" });
    }
    const version = execFileSync(process.execPath, [...shared, "--version"], { encoding: "utf8" });
    const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${PORT}`, "--disable-telemetry", "--disable-update-check"];
    this.server = spawn(process.execPath, [...shared, ...options, this.workspace], { stdio: "ignore" });
    this.browser = await chromium.launch({ executablePath: this.chromium, args: ["--no-sandbox"] });
    this.page = await this.browser.newPage({ viewport: { width: 1080, height: 680 }, deviceScaleFactor: 1.25 });
    this.page.setDefaultTimeout(60_000);
    for (let tries = 0; ; tries += 1) {
      try {
        await this.page.goto(`http://127.0.0.1:${PORT}/?folder=${this.workspace}`);
        break;
      } catch (error) {
        if (tries > 60) throw error;
        await this.page.waitForTimeout(500);
      }
    }
    await this.page.waitForSelector('.explorer-viewlet .monaco-list-row[aria-label*="apples.py"]', { timeout: 90_000 });
    return /with Code (\S+)/.exec(version)?.[1] ?? version.trim();
  }

  /** Packs the extension in a folder beside this file. */
  pack(folder) {
    const made = path.join(this.home, `${folder}.vsix`);
    const vsce = path.join(import.meta.dirname, "../../node_modules/@vscode/vsce/vsce");
    const options = ["package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", made];
    execFileSync(process.execPath, [vsce, ...options], { cwd: path.join(import.meta.dirname, folder), stdio: "pipe" });
    return made;
  }

  async stop() {
    await this.browser?.close();
    this.server?.kill();
    fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  async open(name) {
    await this.page.dblclick(`.explorer-viewlet .monaco-list-row[aria-label*="${name}"]`);
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
    if (!name.endsWith(".py")) return;
    await this.page.click(".editor-instance .view-lines");
    await this.page.keyboard.press("Control+Home");
  }

  /** Waits until nothing moves any more. */
  async settle() {
    await this.page.waitForTimeout(1200);
  }

  async picture(name) {
    if (this.pictures === undefined || this.page === undefined) return;
    await this.page.screenshot({ path: path.join(this.pictures, `${name}.png`) });
  }

  async command(title) {
    await this.page.keyboard.press("F1");
    await this.page.waitForSelector(".quick-input-widget:not([style*='display: none']) input");
    await this.page.keyboard.type(title);
    await this.page.waitForSelector(`.quick-input-list .monaco-list-row.focused[aria-label*="${title}"]`);
    await this.page.keyboard.press("Enter");
  }

  /** Writes into the box that a command has opened. */
  async answer(text) {
    await this.page.waitForSelector(".quick-input-widget:not([style*='display: none']) input");
    await this.page.waitForTimeout(300);
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
  }

  async goTo(line, column) {
    await this.page.click(".editor-instance .view-lines");
    await this.page.keyboard.press("Control+g");
    await this.answer(`:${line}:${column}`);
    await this.page.waitForTimeout(300);
  }

  async problems() {
    await this.page.keyboard.press("Control+Shift+M");
    const rows = this.page.locator(".markers-panel .monaco-list-row", { hasText: /SEQ\d+/ });
    await rows.nth(1).waitFor();
    await this.settle();
    return rows.allTextContents();
  }

  async closePanel() {
    await this.command("View: Hide Panel");
    await this.page.locator(".markers-panel").waitFor({ state: "hidden" });
  }

  async hover(word) {
    const place = this.page.locator(".view-line span span", { hasText: word }).first();
    await place.hover();
    const shown = this.page.locator(".monaco-hover:not(.hidden) .hover-contents").first();
    await shown.waitFor();
    await this.page.waitForTimeout(800);
    return this.page.locator(".monaco-hover:not(.hidden)").first().innerText();
  }

  async quickFixes() {
    await this.page.keyboard.press("Control+.");
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    await rows.first().waitFor();
    await this.page.waitForTimeout(500);
    return rows.evaluateAll((all) => all.map((one) => one.textContent?.trim() ?? ""));
  }

  async chooseQuickFix(title) {
    await this.page.locator(".action-widget .monaco-list-row.action", { hasText: title }).first().click();
    await this.page.waitForTimeout(1500);
  }

  async save() {
    await this.page.keyboard.press("Control+s");
  }

  async saveWithoutActions() {
    await this.command("File: Save without Formatting");
    await this.page.waitForTimeout(1000);
  }

  /** The text of a file on the disk, once it is as `asked`. */
  async saved(name, asked = () => true) {
    for (let tries = 0; tries < 240; tries += 1) {
      const text = fs.readFileSync(path.join(this.workspace, name), "utf8");
      if (asked(text)) return text;
      await this.page.waitForTimeout(250);
    }
    throw new Error(`${name} was not saved as it must be`);
  }

  async typeInCell(number, text) {
    await this.page.locator(".notebookOverlay .cell .monaco-editor .view-lines").nth(number - 1).click();
    await this.page.keyboard.press("Control+End");
    await this.page.keyboard.type(text);
    await this.page.waitForTimeout(800);
  }

  async previewShows(words) {
    for (let tries = 0; tries < 120; tries += 1) {
      for (const frame of this.page.frames()) {
        const text = await frame.locator("body").innerText({ timeout: 1000 }).catch(() => "");
        if (frame !== this.page.mainFrame() && words.test(text)) return;
      }
      await this.page.waitForTimeout(500);
    }
    throw new Error(`no preview shows ${words}`);
  }

  async closeOthers() {
    await this.command("View: Close All Editors");
    await this.page.waitForTimeout(500);
  }

  async waitForLog(words, times) {
    for (let tries = 0; tries < 240; tries += 1) {
      const found = this.logs().match(new RegExp(words.source, "gm")) ?? [];
      if (found.length >= times) return;
      await this.page.waitForTimeout(500);
    }
    throw new Error(`the log does not say ${words} ${times} times:\n${this.logs().slice(-800)}`);
  }

  logs() {
    const all = fs.readdirSync(path.join(this.home, "data/logs"), { recursive: true });
    const ours = all.filter((name) => name.endsWith("seqlint.log"));
    return ours.map((name) => fs.readFileSync(path.join(this.home, "data/logs", name), "utf8")).join("");
  }

  async notification() {
    const toast = this.page.locator(".notification-toast .notification-list-item-message");
    await toast.first().waitFor({ timeout: 240_000 });
    return toast.first().innerText();
  }

  async dismissNotifications() {
    await this.command("Notifications: Clear All Notifications");
  }

  async pressInNotification(label) {
    await this.page.locator(".notification-toast .monaco-button", { hasText: label }).click();
  }
}
