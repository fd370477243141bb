import { element } from "./dom.ts";
import { reportView } from "./reportView.ts";
import type { RenderContext, Report } from "./types.ts";

/** The reports of one output. @param controls - Shown before them. */
export function outputView(
  reports: readonly Report[],
  context: Omit<RenderContext, "explorer">,
  controls?: HTMLElement,
): HTMLElement {
  return element(
    "div",
    { class: "rpcn" },
    controls,
    ...reports.map((report) => reportView(report, { ...context, explorer: report.explorer }, reports.length > 1)),
    element("p", { role: "status", class: "unseen" }),
  );
}
