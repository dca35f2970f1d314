import {
  type CodeAction,
  CodeActionKind,
  type CodeActionProvider,
  type Disposable,
  languages,
  NotebookCellKind,
  type NotebookDocument,
  type TextDocument,
  workspace,
} from "vscode";
import {
  type CodeAction as ServerCodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  type LanguageClient,
} from "vscode-languageclient/node";

const KIND = CodeActionKind.Notebook.append("source.fixAll.seqlint");

/**
 * Makes fix on save work in notebooks that begin with a heading.
 *
 * VS Code asks for the actions of a whole notebook at its first cell only, with the language of that cell: where this is Markdown, no
 * extension for Python is asked. This answers there, with what the server says at the first cell of Python.
 */
export function answerAtFirstCell(client: LanguageClient): Disposable {
  const provider: CodeActionProvider = {
    async provideCodeActions(document, _range, { only }, token) {
      if (only === undefined || !only.contains(KIND)) return [];
      const cell = firstOfPython(notebookOf(document));
      if (cell === undefined || cell === document) return [];
      const start = { line: 0, character: 0 };
      const answer = await client.sendRequest(
        CodeActionRequest.type,
        {
          textDocument: { uri: client.code2ProtocolConverter.asUri(cell.uri) },
          range: { start, end: start },
          context: { diagnostics: [], only: [KIND.value] },
        },
        token,
      );
      return inEditor(client, (answer ?? []).filter((one): one is ServerCodeAction => "kind" in one));
    },
    async resolveCodeAction(action, token) {
      if (action.edit !== undefined) return action;
      const asked = await client.code2ProtocolConverter.asCodeAction(action, token);
      const [whole] = await inEditor(client, [await client.sendRequest(CodeActionResolveRequest.type, asked, token)]);
      return whole ?? action;
    },
  };
  // Without the type of the notebook: VS Code does not know it of a cell that shows its text rendered.
  return languages.registerCodeActionsProvider({ scheme: "vscode-notebook-cell" }, provider, { providedCodeActionKinds: [KIND] });
}

async function inEditor(client: LanguageClient, actions: ServerCodeAction[]): Promise<CodeAction[]> {
  const converted = await client.protocol2CodeConverter.asCodeActionResult(actions);
  return converted.filter((one): one is CodeAction => "kind" in one);
}

function notebookOf(cell: TextDocument): NotebookDocument | undefined {
  const notebooks = workspace.notebookDocuments.filter(({ notebookType }) => notebookType === "jupyter-notebook");
  return notebooks.find((notebook) => notebook.getCells().some(({ document }) => document === cell));
}

function firstOfPython(notebook: NotebookDocument | undefined): TextDocument | undefined {
  return notebook?.getCells().find(({ kind, document }) => kind === NotebookCellKind.Code && document.languageId === "python")?.document;
}
