/** What the server is doing, as far as a user cares. */
export type State =
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly version: string; readonly command: string; readonly from: string }
  | { readonly kind: "failed"; readonly problem: string }
  | { readonly kind: "disabled" };

export interface Shown {
  readonly text: string;
  /** Markdown. */
  readonly tooltip: string;
  readonly level: "normal" | "error";
}

/** How the status bar shows a state. */
export function show(state: State): Shown {
  switch (state.kind) {
    case "starting":
      return { text: "$(sync~spin) seqlint", tooltip: "seqlint is starting.", level: "normal" };
    case "running":
      return {
        text: "$(check) seqlint",
        tooltip: `seqlint ${state.version}, from ${state.from}\n\n\`${state.command}\``,
        level: "normal",
      };
    case "failed":
      return { text: "$(error) seqlint", tooltip: state.problem, level: "error" };
    case "disabled":
      return { text: "$(circle-slash) seqlint", tooltip: "seqlint is switched off by the setting `seqlint.enable`.", level: "normal" };
  }
}
