import * as os from "node:os";
import { type Uri, workspace } from "vscode";
import { fillIn, type Surroundings } from "./variables";

export const SECTION = "seqlint";

/** The settings that change how the server is started; all others are told to the one that runs. */
export const STARTING = ["enable", "interpreter", "path"].map((name) => `${SECTION}.${name}`);

/** The folder whose settings and interpreter count for the server. */
export function firstFolder(): Uri | undefined {
  return workspace.workspaceFolders?.[0]?.uri;
}

/** A setting that is a list of paths, with its variables filled in. */
export function paths(name: "interpreter" | "path"): string[] {
  const folder = firstFolder();
  const given = workspace.getConfiguration(SECTION, folder).get<string[]>(name, []);
  return given.map((path) => fillIn(path, around(folder)));
}

/** The settings of a file as the server takes them. */
export function forServer(scope: Uri | undefined): Record<string, unknown> {
  const { configuration, ...others } = workspace.getConfiguration(SECTION, scope ?? firstFolder()) as unknown as Record<string, unknown>;
  const values = Object.entries(others).filter(([name, value]) => typeof value !== "function" && !LOCAL.has(name));
  if (typeof configuration === "string") values.push(["configuration", fillIn(configuration, around(scope))]);
  return Object.fromEntries(values);
}

const LOCAL = new Set(["interpreter", "path", "trace"]);

function around(scope: Uri | undefined): Surroundings {
  const folder = (scope && workspace.getWorkspaceFolder(scope))?.uri ?? firstFolder();
  const folders = (workspace.workspaceFolders ?? []).map(({ name, uri }): [string, string] => [name, uri.fsPath]);
  return {
    home: os.homedir(),
    folder: folder?.fsPath,
    folders: Object.fromEntries(folders),
    environment: process.env,
  };
}
