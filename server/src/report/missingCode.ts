import type { Report } from "./report.ts";
import { neverSet } from "./word.ts";

/** Says that a slot is zero, and that no contract is there. What an account stored under another code stays. */
export function withMissingCode(report: Report): Report {
  if (report.status !== "ok") return report;
  const sections = report.sections.map((section) =>
    section.kind === "exact" ? { ...section, forms: section.forms.filter((form) => form !== neverSet) } : section,
  );
  return {
    ...report,
    summary: `${report.summary}: no contract at this address`,
    sections: [{ kind: "note", text: "There is no contract at this address." }, ...sections],
  };
}
