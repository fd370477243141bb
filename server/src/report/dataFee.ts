import { toQuantity } from "../base/hex.ts";
import { formatWei } from "../base/units.ts";
import type { Report, Shown } from "./report.ts";

/** The cost of data on layer 1, beside the gas of layer 2. Named as an estimate: it is charged when it is included. */
export function dataFeeShown(wei: bigint): Shown {
  return { text: `${formatWei(wei)} (estimate, on top of the gas)`, raw: toQuantity(wei), role: "amount" };
}

/** Adds the fee for data to a report, if known. */
export function withDataFee(report: Report, wei: bigint | undefined): Report {
  if (wei === undefined || report.status !== "ok") return report;
  const field = { name: "L1 data fee", value: dataFeeShown(wei) };
  return { ...report, sections: [...report.sections, { kind: "fields", fields: [field] }] };
}
