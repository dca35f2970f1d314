import { type LogOutputChannel, Uri, window } from "vscode";
import { LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";
import type { Candidate } from "./find";
import type { Pages } from "./pages";
import { firstFolder, forServer, SECTION } from "./settings";

/** The documents that seqlint reads. */
export const DOCUMENTS = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { scheme: "vscode-notebook-cell", language: "python" },
];

/** A client for the server that `candidate` starts. */
export function makeClient(candidate: Candidate, log: LogOutputChannel, pages: Pages): LanguageClient {
  const folder = firstFolder()?.fsPath;
  return new LanguageClient(
    SECTION,
    "seqlint",
    {
      command: candidate.command,
      args: [...candidate.args, "server"],
      options: folder === undefined ? {} : { cwd: folder },
    },
    {
      documentSelector: DOCUMENTS,
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { ...forServer(undefined), showsPages: true },
      markdown: { supportHtml: false },
      middleware: {
        workspace: {
          configuration: (params) =>
            params.items.map(({ section, scopeUri }) =>
              section === SECTION ? forServer(scopeUri === undefined ? undefined : Uri.parse(scopeUri)) : null,
            ),
        },
        executeCommand: async (command, args, next) => {
          const answer: unknown = await next(command, args);
          if (command === EXPLAIN && typeof answer === "string") await showPage(pages, String(args[0]), answer);
          return answer;
        },
      },
    },
  );
}

const EXPLAIN = "seqlint.explain";

async function showPage(pages: Pages, code: string, page: string): Promise<void> {
  if (page === "") void window.showWarningMessage(`seqlint has no rule ${code}.`);
  else await pages.open(code, page);
}
