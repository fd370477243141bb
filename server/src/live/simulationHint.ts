import type { Section, TableSection } from "../report/report.ts";
import { reportOf } from "../report/reportOf.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Question } from "./backgroundClient.ts";
import type { SimulationView } from "./simulationMarkdown.ts";

/** What a simulation gave, in a few words of plain text: the result and the gas of its call, or why it fails. */
export function simulationHint(
  { method, params }: Question,
  outcome: Outcome,
  { names: labels, scope, tokens }: Pick<SimulationView, "names" | "scope" | "tokens">,
): string {
  const { sections, summary } = reportOf({ title: "", method, params, outcome, labels, scope, tokens });
  return onlyCallIn(sections) ?? summary;
}

/** What came of the only call of a simulation, and its gas; `undefined` where there are several. */
export function onlyCallIn(sections: readonly Section[]): string | undefined {
  const calls = sections.find((section) => section.kind === "table" && section.title === "Calls");
  if (calls?.kind !== "table" || calls.rows.length !== 1) return undefined;
  const gas = textIn(calls, "Gas");
  return [textIn(calls, "Result") || textIn(calls, "Status"), gas && `${gas} gas`].filter((part) => part).join(", ");
}

function textIn({ columns, rows }: TableSection, name: string): string {
  return rows[0]?.[columns.findIndex((column) => column.name === name)]?.text ?? "";
}
