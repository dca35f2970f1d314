import { execFile } from "node:child_process";
import { type Answer, type Candidate, readProblem, readVersion } from "./find";

const PATIENCE = 20_000;

/** Asks a candidate for its version, by starting it. */
export function ask({ command, args }: Candidate): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(command, [...args, "--version"], { timeout: PATIENCE, windowsHide: true }, (error, stdout, stderr) => {
      const version = readVersion(stdout);
      if (version !== undefined) resolve({ version });
      else if (error?.killed) resolve({ problem: `it did not answer in ${PATIENCE / 1000} seconds` });
      else resolve({ problem: readProblem(stderr, error?.code ?? undefined) });
    });
  });
}
