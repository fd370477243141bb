import type { JsonValue } from "../base/json.ts";
import { oneLine, plural, shortHex } from "../base/text.ts";
import type { Assumption } from "../evaluate/assume/assumption.ts";
import type { Report, Shown } from "../report/report.ts";

/** Adds what a request assumed to its report: a count in the quiet line, the rest folded. */
export function withAssumed(report: Report, assumed: readonly Assumption[] = []): Report {
  if (assumed.length === 0) return report;
  const count = plural(assumed.length, "assumption");
  const fields = assumed.map(({ text, override }) => ({ name: oneLine(text, 100), value: overrideShown(override) }));
  return {
    ...report,
    sections: [...report.sections, { kind: "fields", title: "Assumed", fields, folded: true }],
    facts: [...report.facts, { name: "with", value: count, short: count }],
  };
}

function overrideShown(override: Assumption["override"]): Shown {
  const { kind, value } = override;
  switch (override.kind) {
    case "time":
      return { text: `block time ${value}` };
    case "slot":
      return {
        text: `slot ${shortHex(override.slot)} of ${shortHex(override.address)}`,
        raw: `${override.slot} = ${value}`,
      };
    case "balance":
    case "code":
      return { text: oneLine(`${kind} of ${shortHex(override.address)}`), raw: oneLine(value, 200) };
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
