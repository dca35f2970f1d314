/** The folders and the environment that a setting may name by `${...}`. */
export interface Surroundings {
  readonly home: string;
  /** The workspace folder that the setting holds for, if any. */
  readonly folder: string | undefined;
  /** All workspace folders by their names. */
  readonly folders: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `text` with `${workspaceFolder}`, `${workspaceFolder:name}`, `${userHome}`, `${env:NAME}` and a leading `~` filled in. */
export function fillIn(text: string, around: Surroundings): string {
  return text
    .replace(/^~(?=$|[\\/])/, () => around.home)
    .replace(/\$\{(\w+)(?::([^}]*))?\}/g, (all, name: string, argument: string | undefined) => {
      if (name === "userHome") return around.home;
      if (name === "env") return around.environment[argument ?? ""] ?? "";
      if (name !== "workspaceFolder") return all;
      return (argument === undefined ? around.folder : around.folders[argument]) ?? all;
    });
}
