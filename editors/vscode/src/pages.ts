import { commands, EventEmitter, type Disposable, Uri, workspace } from "vscode";

const SCHEME = "seqlint";

/** Pages in Markdown that the server made, shown as previews to the side of the code. */
export class Pages implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new EventEmitter<Uri>();
  private readonly registration = workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: this.changed.event,
    provideTextDocumentContent: (uri) => this.texts.get(uri.path) ?? "",
  });

  /** Show `text` under `title`; a page of the same title that is open is renewed. */
  async open(title: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: SCHEME, path: `/${title}.md` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    await commands.executeCommand("markdown.showPreviewToSide", uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
