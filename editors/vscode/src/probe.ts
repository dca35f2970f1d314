import { execFile } from "node:child_process";
import { type Answer, type Candidate, readProblem, readVersion } from "./find";

const PATIENCE = 20_000;

/** Asks a candidate for its version, by starting it, and whether its server would stay. */
export async function ask({ command, args }: Candidate): Promise<Answer> {
  const { output, problem } = await run(command, [...args, "--version"]);
  const version = readVersion(output);
  if (version === undefined) return { problem: problem ?? "it names no version" };
  // The launcher has looked already. A command is tried: with nothing to read, a server that works ends without complaint.
  const obstacle = args.length > 0 ? undefined : (await run(command, ["server"])).problem;
  return obstacle === undefined ? { version } : { problem: obstacle };
}

function run(command: string, args: readonly string[]): Promise<{ output: string; problem: string | undefined }> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { timeout: PATIENCE, windowsHide: true }, (error, output, stderr) => {
      if (error === null) resolve({ output, problem: undefined });
      else if (error.killed) resolve({ output, problem: `it did not answer in ${PATIENCE / 1000} seconds` });
      else resolve({ output, problem: readProblem(stderr, error.code ?? undefined) });
    });
    child.stdin?.end();
  });
}
