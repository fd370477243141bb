import { mistakesIn } from "../../analysis/check.ts";
import { message } from "../../analysis/message.ts";
import type { Problem } from "../../analysis/problem.ts";
import { oneLine, uncapitalized } from "../../base/text.ts";
import { bundledCatalog } from "../../catalog/catalog.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Action, FailureSection, Report, Section } from "../../report/report.ts";
import type { Outcome } from "../../rpc/outcome.ts";

const reasons: ReadonlySet<string> = new Set(["bad-params", "bad-request", "unknown-method"]);

/** Adds the mistake that the checker sees in a request to the report of its refusal, in place of the node's advice. */
export function withMistake(report: Report, cell: Cell, at: number, outcome: Outcome): Report {
  if (outcome.kind !== "refused" || !reasons.has(outcome.reason)) return report;
  const mistake = mistakeIn(cell, at);
  if (!mistake) return report;
  const [what = "", ...todo] = oneLine(message(mistake)).split(/(?<=\.) (?=[A-Z])/);
  const headline = [{ text: `Refused: ${uncapitalized(what).replace(/\.$/, "")}` }] as const;
  const explained = (section: Section): Section =>
    section.kind === "failure" ? withActions(section, todo.join(" "), actionsOf(mistake)) : section;
  return { ...report, summary: uncapitalized(headline[0].text), headline, sections: report.sections.map(explained) };
}

function mistakeIn(cell: Cell, at: number): Problem | undefined {
  const request = cell.requests[at]?.node;
  if (!request) return undefined;
  const end = request.offset + request.length;
  return mistakesIn(cell, bundledCatalog).find(({ span }) => span.start >= request.offset && span.end <= end);
}

function withActions(failure: FailureSection, todo: string, actions: readonly Action[]): FailureSection {
  return { ...failure, todo, actions };
}

function actionsOf(mistake: Problem): readonly Action[] {
  const { start, end } = mistake.span;
  const [near] = mistake.code === "unknown-method" ? mistake.nearest : [];
  const fix: readonly Action[] =
    near === undefined ? [] : [{ kind: "fix", label: `Use ${near}`, start, end, text: JSON.stringify(near) }];
  return [{ kind: "show", label: "Show in Cell", start, end }, ...fix];
}
