import { type Event, extensions, type Uri } from "vscode";

/** What seqlint uses of the API of the Python extension. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: Uri): { readonly path: string };
    resolveEnvironment(environment: { readonly path: string }): Promise<
      { readonly executable: { readonly uri: Uri | undefined } } | undefined
    >;
    readonly onDidChangeActiveEnvironmentPath: Event<unknown>;
  };
}

const PYTHON_EXTENSION = "ms-python.python";

/** The Python extension, once it is active; undefined where it is not installed or does not start. */
export async function pythonExtension(): Promise<PythonApi | undefined> {
  try {
    return await extensions.getExtension<PythonApi>(PYTHON_EXTENSION)?.activate();
  } catch {
    return undefined;
  }
}

/** The interpreter that the user has selected for `resource`. */
export async function selectedInterpreter(api: PythonApi, resource: Uri | undefined): Promise<string | undefined> {
  const environment = await api.environments.resolveEnvironment(api.environments.getActiveEnvironmentPath(resource));
  return environment?.executable.uri?.fsPath;
}
