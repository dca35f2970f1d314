const { EventEmitter, Uri, workspace } = require("vscode");

exports.activate = () => {
  const changed = new EventEmitter();
  workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("python.selectedForTest") && changed.fire({}));
  return {
    environments: {
      getActiveEnvironmentPath: (resource) => ({ path: workspace.getConfiguration("python", resource).get("selectedForTest") }),
      resolveEnvironment: async ({ path }) => (path === "" ? undefined : { executable: { uri: Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
