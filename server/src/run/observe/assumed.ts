import type { JsonObject } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import { oneLine, plural, shortHex } from "../../base/text.ts";
import type { Assumption } from "../../evaluate/assume/assumption.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Report, Shown } from "../../report/report.ts";
import { maskedAssumption } from "./maskFound.ts";
import type { Observation } from "./observation.ts";

/** A longer list is folded. */
const maxShown = 4;

/** What a request assumed. */
export const assumed = {
  concerns: (cell: Cell) => cell.directives.has("assume"),
  of: (_cell: Cell, request: EvaluatedRequest) => (request.assumed?.length ? request.assumed : undefined),
  hidden: (found: readonly Assumption[], mask: Mask) => found.map((one) => maskedAssumption(one, mask)),
  adds: (found: readonly Assumption[]) => ({
    report: (report: Report) => withAssumed(report, found),
    json: () => assumedJson(found),
  }),
} satisfies Observation<readonly Assumption[]>;

/** Adds what a request assumed to its report, because the answer only holds with it. */
function withAssumed(report: Report, assumed: readonly Assumption[]): Report {
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

function assumedJson(assumed: readonly Assumption[]): JsonObject {
  return {
    assumed: assumed.map(({ text, override }) => {
      const { kind, ...rest } = override;
      return { text, override: kind, ...rest };
    }),
  };
}
