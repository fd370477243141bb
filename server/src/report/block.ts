import { quantity } from "../base/hex.ts";
import { isArray, type JsonObject } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { formatUnits, grouped, percentOf } from "../base/units.ts";
import { objectSections } from "./object.ts";
import type { HeadlinePart } from "./report.ts";
import { blockTimeShown, briefText, isUnsealed, unsealedText, weiShown } from "./shown.ts";
import { answerSection, foldedFields, foldedTable, type View, type ViewContext } from "./view.ts";

/** Shows a block: number, age, transactions and gas first, the rest folded. */
export function blockView(block: JsonObject, context: ViewContext): View {
  const number = quantity(block.number);
  const isPreconfirmed = number !== undefined && isUnsealed({ number: block.number, hash: block.hash }, context.sealed);
  const count = isArray(block.transactions) ? block.transactions.length : undefined;
  const gas = gasPart(block);
  const fee = quantity(block.baseFeePerGas);
  const feeText = fee === undefined ? [] : [`base fee ${briefText(weiShown(fee))}`];
  const headline: readonly HeadlinePart[] = [
    { text: number === undefined ? "Pending block" : `Block ${grouped(number)}` },
    ...(isPreconfirmed ? [{ text: unsealedText(context), role: "pending" as const }] : []),
    ...timePart(block),
    ...(count === undefined ? [] : [{ text: plural(count, "transaction"), role: "plain" as const }]),
    ...(gas ? [gas] : []),
    ...feeText.map((text) => ({ text, role: "quiet" as const })),
  ];
  return {
    summary: [
      number === undefined ? "pending block" : `block ${grouped(number)}`,
      ...(count === undefined ? [] : [plural(count, "transaction")]),
      ...(gas ? [gas.text] : []),
      ...feeText,
    ].join(", "),
    headline,
    sections: [...objectSections("blockInfo", block, context).map(foldedFields).map(foldedTable), answerSection(block)],
  };
}

function timePart({ timestamp, timestampMs }: JsonObject): readonly HeadlinePart[] {
  const shown = blockTimeShown(timestamp, timestampMs);
  const [seconds, ms] = [quantity(timestamp), quantity(timestampMs)];
  if (shown?.role !== "time" || seconds === undefined) return [];
  const at = ms !== undefined && ms / 1000n === seconds ? ms : seconds * 1000n;
  return [{ text: shown.text, role: "quiet", at: Number(at) }];
}

function gasPart({ gasUsed, gasLimit }: JsonObject): HeadlinePart | undefined {
  const [used, limit] = [quantity(gasUsed), quantity(gasLimit)];
  if (used === undefined || limit === undefined || limit === 0n) return undefined;
  const share = Number((used * 10_000n) / limit) / 10_000;
  return {
    text: `${percentOf(used, limit, used * 10n >= limit ? 0 : used * 1000n >= limit ? 1 : 2)} of ${millions(limit)} gas`,
    exact: `${grouped(used)} of ${grouped(limit)}`,
    role: "quiet",
    share: Math.min(1, share),
  };
}

/** @example millions(30000000n) //=> "30 M" */
function millions(gas: bigint): string {
  return gas % 100_000n === 0n && gas >= 1_000_000n ? `${formatUnits(gas, 6)} M` : grouped(gas);
}
