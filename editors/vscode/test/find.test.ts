import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, type Candidate, candidates, choose, notFoundMessage, type Places, readProblem, readVersion } from "../src/find";

const PLACES: Places = { paths: [], interpreters: [], selected: undefined, folder: "/home/mara/apples", windows: false };

const commands = (places: Partial<Places>) => candidates({ ...PLACES, ...places }, "launch.py").map(({ command }) => command);

test("without settings the environments of the workspace come before the search path", () => {
  assert.deepEqual(commands({}), ["/home/mara/apples/.venv/bin/python", "/home/mara/apples/venv/bin/python", "python3", "python", "seqlint"]);
  assert.deepEqual(commands({ folder: undefined }), ["python3", "python", "seqlint"]);
});

test("the selected interpreter comes first", () => {
  assert.equal(commands({ selected: "/opt/env/bin/python" })[0], "/opt/env/bin/python");
});

test("a setting is meant: nothing else is tried", () => {
  const selected = "/opt/env/bin/python";
  assert.deepEqual(commands({ interpreters: ["/usr/bin/python3.12"], selected }), ["/usr/bin/python3.12"]);
  assert.deepEqual(commands({ paths: ["/bin/seqlint"], interpreters: ["/usr/bin/python3.12"], selected }), ["/bin/seqlint"]);
});

test("an interpreter starts the launcher, a command starts itself", () => {
  assert.deepEqual(candidates({ ...PLACES, interpreters: ["py"] }, "launch.py")[0]?.args, ["launch.py"]);
  assert.deepEqual(candidates({ ...PLACES, paths: ["seqlint"] }, "launch.py")[0]?.args, []);
});

test("on Windows environments look as Windows lays them out", () => {
  assert.deepEqual(commands({ windows: true, folder: "C:\\apples" }).slice(0, 3), [
    "C:\\apples\\.venv\\Scripts\\python.exe",
    "C:\\apples\\venv\\Scripts\\python.exe",
    "python",
  ]);
});

test("the first that answers is chosen, and no other is asked", async () => {
  const asked: string[] = [];
  const ask = async ({ command }: Candidate): Promise<Answer> => {
    asked.push(command);
    return command === "python3" ? { version: "0.1.0" } : { problem: "there is no such file" };
  };
  const found = await choose(candidates(PLACES, "launch.py"), ask);
  assert.ok("candidate" in found);
  assert.equal(found.version, "0.1.0");
  assert.equal(asked.at(-1), "python3");
});

test("versions and problems are read from what was printed", () => {
  assert.equal(readVersion("seqlint 0.1.0\n"), "0.1.0");
  assert.equal(readVersion("usage: something else"), undefined);
  assert.equal(readProblem("", "ENOENT"), "there is no such file");
  assert.equal(readProblem("Traceback ...\nModuleNotFoundError: No module named 'seqlint'\n", 1), "seqlint is not installed there");
  assert.equal(readProblem("/usr/bin/python3: No module named seqlint", 1), "seqlint is not installed there");
  assert.equal(readProblem("warning\nSyntaxError: invalid syntax\n", 1), "SyntaxError: invalid syntax");
  assert.equal(readProblem("", 3), "it ended with 3");
});

test("the message names the setting that is wrong, or the interpreter to install it in", () => {
  const none = (places: Partial<Places>) => ({
    tried: candidates({ ...PLACES, ...places }, "launch.py").map((candidate) => ({ candidate, problem: "there is no such file" })),
  });
  assert.equal(
    notFoundMessage(none({ paths: ["/gone/seqlint"] })),
    "seqlint does not start from the setting seqlint.path (/gone/seqlint): there is no such file.",
  );
  assert.match(notFoundMessage(none({ selected: "/opt/env/bin/python" })), /not found in the selected interpreter \(\/opt\/env\/bin\/python\)/);
  assert.match(notFoundMessage(none({})), /^seqlint was not found\. Install it/);
  const [venv] = candidates(PLACES, "launch.py");
  assert.ok(venv);
  assert.equal(
    notFoundMessage({ tried: [{ candidate: venv, problem: "seqlint is there without its server: pip install 'seqlint[server]'" }] }),
    "seqlint of .venv of the workspace (/home/mara/apples/.venv/bin/python) does not start: seqlint is there without its server: pip install 'seqlint[server]'.",
  );
});
