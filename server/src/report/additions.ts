import { toQuantity } from "../base/hex.ts";
import { formatUnits, formatWei, grouped, roundedUnits, roundedWei } from "../base/units.ts";
import type { Amount, HeadlinePart, Report, Shown } from "./report.ts";
import { symbolText } from "./tokens.ts";
import { neverSet } from "./word.ts";

/** The number of an earlier answer to the same request. */
export interface EarlierAmount extends Amount {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The answers before. */
export interface AmountsBefore {
  /** Their numbers, by request. */
  readonly amounts: readonly (EarlierAmount | undefined)[];
}

/** Returns the numbers of reports, by their place, for {@link withChange}. */
export function amountsOf(reports: readonly Report[]): readonly (EarlierAmount | undefined)[] {
  return reports.map(({ amount, ranAt }) => (amount && ranAt !== undefined ? { ...amount, at: ranAt } : undefined));
}

/** Adds the difference to an earlier answer: `+0.02 ether`, since when. */
export function withChange(report: Report, before: EarlierAmount | undefined): Report {
  const { amount, headline = [{ text: report.summary }] } = report;
  if (!amount || !before || JSON.stringify(amount.unit) !== JSON.stringify(before.unit)) return report;
  if (!isNumber(amount) || !isNumber(before)) return report;
  const change = BigInt(amount.value) - BigInt(before.value);
  if (change === 0n) return report;
  const size = change < 0n ? -change : change;
  const sign = change < 0n ? "−" : "+";
  const part: HeadlinePart = {
    text: `${sign}${amountText(size, amount.unit, true)}`,
    exact: `${sign}${amountText(size, amount.unit, false)}`,
    role: change < 0n ? "less" : "more",
    since: before.at,
  };
  const [answer = { text: report.summary }, ...rest] = headline;
  return { ...report, headline: [answer, part, ...rest] };
}

/** Returns whether a value can be compared: a secret of the host is masked. */
function isNumber({ value }: Amount): boolean {
  return /^\d+$/.test(value);
}

function amountText(size: bigint, unit: Amount["unit"], rounded: boolean): string {
  if (unit === "wei") return (rounded ? roundedWei(size) : undefined) ?? formatWei(size);
  if (unit === "gas" || unit === "count") return `${grouped(size)}${unit === "gas" ? " gas" : ""}`;
  const text = (rounded ? roundedUnits(size, unit.decimals) : undefined) ?? formatUnits(size, unit.decimals);
  return `${text} ${symbolText(unit.symbol)}`;
}

/** The cost of data on layer 1, beside the gas of layer 2. Named as an estimate: it is charged when it is included. */
export function dataFeeShown(wei: bigint): Shown {
  return { text: `${formatWei(wei)} (estimate, on top of the gas)`, raw: toQuantity(wei), role: "amount" };
}

export function withDataFee(report: Report, wei: bigint | undefined): Report {
  if (wei === undefined || report.status !== "ok") return report;
  const field = { name: "L1 data fee", value: dataFeeShown(wei) };
  return { ...report, sections: [...report.sections, { kind: "fields", fields: [field] }] };
}

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

/** @param why - A clause without a full stop. */
export function withImpossibleTrace(report: Report, why: string): Report {
  const text = `This cannot be the trace of a call: ${why}.`;
  return { ...report, sections: [{ kind: "note", text }, ...report.sections] };
}
