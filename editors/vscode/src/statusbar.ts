import { type Disposable, languages, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import { show, type State } from "./status";
import { DOCUMENTS } from "./client";

/** The item in the status bar. It is there while a Python file or a notebook is in front. */
export class StatusBar implements Disposable {
  private readonly item = window.createStatusBarItem("seqlint.status", StatusBarAlignment.Right, 100);
  private readonly subscriptions = [
    this.item,
    window.onDidChangeActiveTextEditor(() => this.place()),
    window.onDidChangeActiveNotebookEditor(() => this.place()),
  ];

  constructor() {
    this.item.name = "seqlint";
    this.item.command = "seqlint.showMenu";
    this.place();
  }

  set state(state: State) {
    const { text, tooltip, level } = show(state);
    this.item.text = text;
    this.item.tooltip = new MarkdownString(tooltip);
    this.item.backgroundColor = level === "error" ? new ThemeColor("statusBarItem.errorBackground") : undefined;
  }

  private place(): void {
    const document = window.activeTextEditor?.document;
    const concerned = window.activeNotebookEditor !== undefined || (document && languages.match(DOCUMENTS, document) > 0);
    if (concerned) this.item.show();
    else this.item.hide();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
