// A notebook as Jupyter writes it, and its cells read back.

/** Begins with a heading: VS Code asks for the fixes of a notebook at its first cell only. */
export const NOTEBOOK = [
  { type: "markdown", text: "# How sweet is an apple?" },
  { type: "code", text: "import numpy as np\nimport keras" },
  {
    type: "code",
    text: [
      "class AppleBatches(keras.utils.PyDataset):",
      "    def __init__(self, colours, sugar, batch_size):",
      "        self.colours = colours",
      "        self.sugar = sugar",
      "        self.batch_size = batch_size",
      "",
      "    def __len__(self):",
      "        return int(np.ceil(len(self.colours) / self.batch_size))",
      "",
      "    def __getitem__(self, index):",
      "        rows = slice(index * self.batch_size, (index + 1) * self.batch_size)",
      "        return self.colours[rows], self.sugar[rows]",
    ].join("\n"),
  },
  {
    type: "code",
    text: [
      'colours = np.random.uniform(size=(48, 3)).astype("float32")',
      "apples = AppleBatches(colours, 4 + 8 * colours[:, :1], batch_size=8)",
      "model = keras.Sequential([keras.layers.Dense(1)])",
      'model.compile("adam", "mse")',
      "model.fit(apples, epochs=3)",
    ].join("\n"),
  },
];

export function notebook(cells) {
  const whole = {
    cells: cells.map(({ type, text }, number) => ({
      cell_type: type,
      ...(type === "code" ? { execution_count: null } : {}),
      id: `cell-${number}`,
      metadata: {},
      ...(type === "code" ? { outputs: [] } : {}),
      source: text.match(/.*\n|.+$/g),
    })),
    metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" }, language_info: { name: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(whole, null, 1)}\n`;
}

export function sources(text) {
  return JSON.parse(text).cells.map(({ source }) => [source].flat().join(""));
}
