import type { Report } from "../report/report.ts";
import { reportText } from "../report/text.ts";
import type { Terminal } from "./terminal.ts";

/** Prints reports with an empty line between them. */
export function printReports(
  reports: readonly Report[],
  { print, paint, width }: Terminal,
  layout: Parameters<typeof reportText>[1] = {},
): void {
  const fitted = { ...layout, paint, ...(width !== undefined && { width }) };
  print(reports.map((report) => reportText(report, fitted)).join("\n\n"));
}
