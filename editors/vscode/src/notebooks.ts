/**
 * What is wrong with `notebook.codeActionsOnSave`, or undefined.
 *
 * VS Code runs an action without the prefix `notebook.` once for each cell, each time on a notebook that the run before has changed.
 */
export function notebookSettingProblem(setting: unknown): string | undefined {
  const kinds = Array.isArray(setting) ? setting : Object.keys((setting ?? {}) as object);
  if (!kinds.includes("source.fixAll.seqlint")) return undefined;
  return (
    '"source.fixAll.seqlint" in notebook.codeActionsOnSave would run once for each cell, in addition to the others: ' +
    'write "notebook.source.fixAll.seqlint" there.'
  );
}
