import * as path from "node:path";
import { commands, type Disposable, type ExtensionContext, languages, type LogOutputChannel, window, workspace } from "vscode";
import { type LanguageClient, State as ServerState } from "vscode-languageclient/node";
import { makeClient } from "./client";
import { type Candidate, candidates, choose, type Found, type NotFound, notFoundMessage } from "./find";
import { answerAtFirstCell } from "./firstcell";
import { pythonExtension, selectedInterpreter } from "./interpreter";
import { notebookSettingProblem } from "./notebooks";
import { Pages } from "./pages";
import { ask } from "./probe";
import { firstFolder, forServer, paths, SECTION, STARTING } from "./settings";
import type { State } from "./status";
import { StatusBar } from "./statusbar";

let seqlint: Seqlint | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  seqlint = new Seqlint(context);
  await seqlint.follow();
  await seqlint.restart();
}

export async function deactivate(): Promise<void> {
  await seqlint?.stop();
}

/** The extension at work: one server, and what starts it anew. */
class Seqlint {
  private readonly log: LogOutputChannel;
  private readonly pages = new Pages();
  private readonly status = new StatusBar();
  private readonly launcher: string;
  private client: LanguageClient | undefined;
  private used: Candidate | undefined;
  /** What goes with the client. */
  private besides: Disposable[] = [];
  /** Restarts wait for each other here. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly context: ExtensionContext) {
    this.log = window.createOutputChannel("seqlint", { log: true });
    this.launcher = path.join(context.extensionPath, "bundled", "launch.py");
    context.subscriptions.push(this.log, this.pages, this.status);
  }

  /** Listen to the user. */
  async follow(): Promise<void> {
    const does: Record<string, () => unknown> = {
      "seqlint.restart": () => this.restart(),
      "seqlint.showLogs": () => this.log.show(),
      "seqlint.openSettings": () => commands.executeCommand("workbench.action.openSettings", "@ext:seqlint.seqlint"),
      "seqlint.executeAutofix": () => this.fixInFront(),
      "seqlint.explainRule": () => this.explainRule(),
      "seqlint.showMenu": () => this.showMenu(),
    };
    for (const [name, action] of Object.entries(does)) this.context.subscriptions.push(commands.registerCommand(name, action));

    this.context.subscriptions.push(
      workspace.onDidChangeConfiguration((event) => {
        if (STARTING.some((name) => event.affectsConfiguration(name))) void this.restart();
        else if (event.affectsConfiguration(SECTION)) void this.tellSettings();
        if (event.affectsConfiguration("notebook.codeActionsOnSave")) this.warnOfNotebookSetting();
      }),
    );
    this.warnOfNotebookSetting();

    const python = await pythonExtension();
    if (python !== undefined) {
      this.context.subscriptions.push(python.environments.onDidChangeActiveEnvironmentPath(() => this.interpreterChanged()));
    }
  }

  /** Start the server, or start it anew. */
  restart(): Promise<void> {
    this.last = this.last
      .then(() => this.stop())
      .then(() => this.start())
      .catch((error: unknown) => this.report(`seqlint does not start: ${words(error)}`));
    return this.last;
  }

  async stop(): Promise<void> {
    const { client } = this;
    this.client = this.used = undefined;
    for (const one of this.besides.splice(0)) one.dispose();
    // A server that has failed can't be told to stop; it is gone all the same.
    await client?.dispose().catch((error: unknown) => this.log.info(`The last server did not stop as it should: ${words(error)}`));
  }

  private async start(): Promise<void> {
    if (!workspace.getConfiguration(SECTION).get<boolean>("enable", true)) return this.enter({ kind: "disabled" });
    this.enter({ kind: "starting" });
    const found = await this.find();
    if (!("candidate" in found)) return this.report(notFoundMessage(found));

    const { candidate, version } = found;
    const command = [candidate.command, ...candidate.args, "server"].join(" ");
    this.log.info(`seqlint ${version}, from ${candidate.from}: ${command}`);
    const client = makeClient(candidate, this.log, this.pages);
    this.client = client;
    this.used = candidate;
    this.besides.push(
      client.onDidChangeState(({ newState }) => {
        if (newState === ServerState.Starting) this.enter({ kind: "starting" });
        if (newState === ServerState.Running) this.enter({ kind: "running", version, command, from: candidate.from });
        if (newState === ServerState.Stopped) this.enter({ kind: "failed", problem: "The server of seqlint has ended. The log says why." });
      }),
    );
    try {
      await client.start();
      this.besides.push(answerAtFirstCell(client));
    } catch (error) {
      this.report(`seqlint does not start: ${words(error)}`);
    }
  }

  private async find(): Promise<Found | NotFound> {
    const found = await choose(await this.candidates(), ask);
    for (const { candidate, problem } of "tried" in found ? found.tried : []) {
      this.log.info(`Not in ${candidate.command} (${candidate.from}): ${problem}`);
    }
    return found;
  }

  private async candidates(): Promise<Candidate[]> {
    const folder = firstFolder();
    const python = await pythonExtension();
    return candidates(
      {
        paths: paths("path"),
        interpreters: paths("interpreter"),
        selected: python && (await selectedInterpreter(python, folder)),
        folder: folder?.fsPath,
        windows: process.platform === "win32",
      },
      this.launcher,
    );
  }

  /** A selected interpreter that leads to the same server changes nothing. */
  private async interpreterChanged(): Promise<void> {
    const found = await choose(await this.candidates(), ask);
    const same = "candidate" in found && found.candidate.command === this.used?.command;
    if (!same) await this.restart();
  }

  private async tellSettings(): Promise<void> {
    await this.client?.sendNotification("workspace/didChangeConfiguration", {
      settings: { [SECTION]: forServer(undefined) },
    });
  }

  private async fixInFront(): Promise<void> {
    const document = window.activeNotebookEditor?.notebook ?? window.activeTextEditor?.document;
    if (document !== undefined) await commands.executeCommand("seqlint.fixAll", document.uri.toString());
  }

  private async explainRule(): Promise<void> {
    const code = await window.showInputBox({ prompt: "Code of a rule", value: this.codeUnderCursor() ?? "SEQ" });
    if (code !== undefined) await commands.executeCommand("seqlint.explain", code.trim().toUpperCase());
  }

  private codeUnderCursor(): string | undefined {
    const editor = window.activeTextEditor;
    if (editor === undefined) return undefined;
    const here = languages
      .getDiagnostics(editor.document.uri)
      .find(({ source, range }) => source === "seqlint" && range.contains(editor.selection.active));
    const code = here?.code;
    return typeof code === "object" ? String(code.value) : code?.toString();
  }

  private async showMenu(): Promise<void> {
    const entries = [
      { label: "$(refresh) Restart Server", command: "seqlint.restart" },
      { label: "$(output) Show Log", command: "seqlint.showLogs" },
      { label: "$(gear) Open Settings", command: "seqlint.openSettings" },
    ];
    const chosen = await window.showQuickPick(entries, { title: "seqlint" });
    if (chosen !== undefined) await commands.executeCommand(chosen.command);
  }

  private warnOfNotebookSetting(): void {
    const problem = notebookSettingProblem(workspace.getConfiguration("notebook").get("codeActionsOnSave"));
    if (problem !== undefined) void window.showWarningMessage(problem);
  }

  /** Say once, in the status bar and in a message, why seqlint does not run. */
  private report(problem: string): void {
    this.enter({ kind: "failed", problem });
    this.log.error(problem);
    const remedies: Record<string, string> = { "Open Settings": "seqlint.openSettings", "Show Log": "seqlint.showLogs" };
    void window.showErrorMessage(problem, ...Object.keys(remedies)).then((chosen) => {
      const command = chosen === undefined ? undefined : remedies[chosen];
      if (command !== undefined) void commands.executeCommand(command);
    });
  }

  private enter(state: State): void {
    this.status.state = state;
    void commands.executeCommand("setContext", "seqlint.running", state.kind === "running");
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
