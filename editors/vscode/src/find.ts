/** One way to start seqlint. */
export interface Candidate {
  readonly command: string;
  /** What comes before the arguments of seqlint itself. */
  readonly args: readonly string[];
  /** Where it comes from, as the log and the status say it. */
  readonly from: string;
}

/** What is known before anything was started. */
export interface Places {
  /** Setting `seqlint.path`. */
  readonly paths: readonly string[];
  /** Setting `seqlint.interpreter`. */
  readonly interpreters: readonly string[];
  /** The interpreter that the Python extension has selected. */
  readonly selected: string | undefined;
  readonly folder: string | undefined;
  readonly windows: boolean;
}

/** What a candidate answered: the version, or why there is none. */
export type Answer = { readonly version: string } | { readonly problem: string };

export interface Found {
  readonly candidate: Candidate;
  readonly version: string;
}

export interface NotFound {
  readonly tried: readonly { readonly candidate: Candidate; readonly problem: string }[];
}

/**
 * The ways to start seqlint, best first.
 *
 * A setting is meant: where one is given, nothing else is tried.
 */
export function candidates(places: Places, launcher: string): Candidate[] {
  const python = (command: string, from: string): Candidate => ({ command, args: [launcher], from });
  if (places.paths.length > 0) return places.paths.map((command) => ({ command, args: [], from: "seqlint.path" }));
  if (places.interpreters.length > 0) return places.interpreters.map((command) => python(command, "seqlint.interpreter"));

  const found: Candidate[] = [];
  if (places.selected !== undefined) found.push(python(places.selected, "the selected interpreter"));
  for (const name of places.folder === undefined ? [] : [".venv", "venv"]) {
    const inside = places.windows ? ["Scripts", "python.exe"] : ["bin", "python"];
    found.push(python([places.folder, name, ...inside].join(places.windows ? "\\" : "/"), `${name} of the workspace`));
  }
  for (const command of places.windows ? ["python", "py"] : ["python3", "python"]) found.push(python(command, "the search path"));
  found.push({ command: "seqlint", args: [], from: "the search path" });
  return found;
}

/** The first candidate that has a seqlint. */
export async function choose(
  all: readonly Candidate[],
  ask: (candidate: Candidate) => Promise<Answer>,
): Promise<Found | NotFound> {
  const tried: { candidate: Candidate; problem: string }[] = [];
  for (const candidate of all) {
    const answer = await ask(candidate);
    if ("version" in answer) return { candidate, version: answer.version };
    tried.push({ candidate, problem: answer.problem });
  }
  return { tried };
}

/** What `seqlint --version` printed, read. */
export function readVersion(output: string): string | undefined {
  return /^seqlint (\d\S*)\s*$/m.exec(output)?.[1];
}

/** Why a command that should print a version did not, in one line. */
export function readProblem(stderr: string, code: string | number | undefined): string {
  if (code === "ENOENT") return "there is no such file";
  if (/No module named '?seqlint/.test(stderr)) return "seqlint is not installed there";
  const last = stderr.trim().split(/\r?\n/).at(-1);
  return last !== undefined && last !== "" ? last.replace(/^error: /, "") : `it ended with ${code ?? "no version"}`;
}

/** One sentence for the message that is shown when nothing was found. */
export function notFoundMessage({ tried }: NotFound): string {
  const set = tried.find(({ candidate }) => candidate.from.startsWith("seqlint."));
  if (set !== undefined) return `seqlint does not start from the setting ${set.candidate.from} (${set.candidate.command}): ${set.problem}.`;
  const bare = tried.find(({ problem }) => problem.includes("seqlint[server]"));
  if (bare !== undefined) return `seqlint of ${bare.candidate.from} (${bare.candidate.command}) does not start: ${bare.problem}.`;
  const selected = tried.find(({ candidate }) => candidate.from === "the selected interpreter");
  if (selected !== undefined) {
    return `seqlint was not found in the selected interpreter (${selected.candidate.command}), nor elsewhere. Install it there: pip install "seqlint[server]".`;
  }
  return 'seqlint was not found. Install it (pip install "seqlint[server]"), or say where it is.';
}
