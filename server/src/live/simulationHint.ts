import type { AbiScope } from "../abi/abiScope.ts";
import type { Question } from "../gate/backgroundClient.ts";
import type { Section, TableSection } from "../report/report.ts";
import { reportOf } from "../report/reportOf.ts";
import type { Tokens } from "../report/tokens.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** Names for the values of a simulation. */
export interface SimulationNaming {
  /** Names of addresses, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  readonly scope: AbiScope | undefined;
  readonly tokens: Tokens;
}

/** Returns the result of a simulation in a few words of plain text: result and gas of its call, or why it fails. */
export function simulationHint(
  { method, params }: Question,
  outcome: Outcome,
  { names: labels, scope, tokens }: SimulationNaming,
): string {
  const { sections, summary } = reportOf({ title: "", method, params, outcome, labels, scope, tokens });
  return onlyCallIn(sections) ?? summary;
}

/** Returns the result of the only call of a simulation, and its gas; `undefined` if there are several calls. */
export function onlyCallIn(sections: readonly Section[]): string | undefined {
  const calls = sections.find((section) => section.kind === "table" && section.title === "Calls");
  if (calls?.kind !== "table" || calls.rows.length !== 1) return undefined;
  const gas = textIn(calls, "Gas");
  return [textIn(calls, "Result") || textIn(calls, "Status"), gas && `${gas} gas`].filter((part) => part).join(", ");
}

function textIn({ columns, rows }: TableSection, name: string): string {
  return rows[0]?.[columns.findIndex((column) => column.name === name)]?.text ?? "";
}
