import type { JsonValue } from "../../base/json.ts";
import { oneLine, plural, shortHex } from "../../base/text.ts";
import type { Assumption } from "../../evaluate/assume/assumption.ts";
import type { Report, Shown } from "../../report/report.ts";

/** A longer list is folded. */
const maxShown = 4;

/** Adds what a request assumed to its report, because the answer only holds with it. */
export function withAssumed(report: Report, assumed: readonly Assumption[] = []): Report {
  if (assumed.length === 0) return report;
  const count = plural(assumed.length, "assumption");
  const fields = assumed.map(({ text, override }) => ({ name: oneLine(text, 100), value: overrideShown(override) }));
  return {
    ...report,
    sections: [
      ...report.sections,
      { kind: "fields", title: "Assumed", fields, ...(fields.length > maxShown && { folded: true }) },
    ],
    facts: [...report.facts, { name: "with", value: count, short: count }],
  };
}

/** The member that is overridden; the wire form has its value. */
function overrideShown(override: Assumption["override"]): Shown {
  switch (override.kind) {
    case "time":
      return { text: `block time ${override.value}` };
    case "slot":
      return { text: `slot ${shortHex(override.slot)} of ${shortHex(override.address)}` };
    case "balance":
    case "code":
      return { text: `${override.kind} of ${shortHex(override.address)}` };
  }
}

/** Returns what a request assumed as JSON. */
export function assumedJson(assumed: readonly Assumption[] = []): { readonly assumed?: readonly JsonValue[] } {
  if (assumed.length === 0) return {};
  return {
    assumed: assumed.map(({ text, override }) => {
      const { kind, ...rest } = override;
      return { text, override: kind, ...rest };
    }),
  };
}
