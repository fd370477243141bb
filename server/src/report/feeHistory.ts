import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { ExactNumber, isArray } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { grouped, percentOf } from "../base/units.ts";
import type { Section, Shown } from "./report.ts";
import { badShown, briefText, quantityShown, weiShown } from "./shown.ts";
import { type Cells, filled, nothing, present, series, table } from "./table.ts";
import type { View, ViewContext } from "./view.ts";

/** The result of `eth_feeHistory`: its lists side by side, a row for each block. */
export function feeHistoryView(history: JsonObject, { params }: ViewContext): View {
  const list = (name: string): readonly JsonValue[] => (isArray(history[name]) ? history[name] : []);
  const oldest = quantity(history.oldestBlock);
  const blocks = list("gasUsedRatio").length;
  const percentiles = isArray(params) && isArray(params[2]) ? params[2] : [];
  const at = (name: string, show: (value: JsonValue) => Shown): Cells<number>["of"] => {
    const values = list(name);
    return (row) => present(values[row], show);
  };
  const wei = (value: JsonValue): Shown => quantityShown(value, "wei");
  const reward = (which: number): Cells<number>["of"] =>
    at("reward", (fees) => (isArray(fees) && fees[which] !== undefined ? wei(fees[which]) : nothing));
  const columns: readonly Cells<number>[] = [
    {
      name: "Block",
      align: "right",
      of: (row) => ({ text: oldest === undefined ? String(row) : grouped(oldest + BigInt(row)) }),
    },
    { name: "Base fee", align: "right", of: at("baseFeePerGas", wei) },
    { name: "Gas used", align: "right", of: at("gasUsedRatio", ratioShown) },
    ...percentiles.slice(0, 20).map(
      (percentile, which): Cells<number> => ({
        name: `Tip at ${Number(percentile)}%`,
        align: "right",
        of: reward(which),
      }),
    ),
    { name: "Blob base fee", align: "right", of: at("baseFeePerBlobGas", wei) },
    { name: "Blob gas used", align: "right", of: at("blobGasUsedRatio", ratioShown) },
  ];
  const rows = Array.from({ length: Math.max(blocks, list("baseFeePerGas").length) }, (_, row) => row);
  const first = oldest === undefined ? "" : ` from ${grouped(oldest)}`;
  const ahead =
    rows.length > blocks ? [{ kind: "note" as const, text: "The last row is the block after the range." }] : [];
  const chart = feeSeries(list("baseFeePerGas"), oldest);
  const folded = chart.length > 0 ? { folded: true as const } : {};
  return {
    summary: `fees of ${plural(blocks, "block")}${first}`,
    sections: [...chart, ...(rows.length > 0 ? [{ ...table(rows, filled(rows, columns)), ...folded }] : []), ...ahead],
  };
}

function feeSeries(fees: readonly JsonValue[], oldest: bigint | undefined): readonly Section[] {
  const points = fees.flatMap((fee, at) => {
    const wei = quantity(fee);
    if (wei === undefined || oldest === undefined) return [];
    const shown = weiShown(wei);
    return [{ at: grouped(oldest + BigInt(at)), value: Number(wei), text: briefText(shown) }];
  });
  return series("Base fee", "line", "block", points);
}

/** More digits than nodes send. */
const precision = 1e15;

/** A share as people read it. */
function ratioShown(value: JsonValue): Shown {
  const share = typeof value === "number" || value instanceof ExactNumber ? Number(value) : -1;
  if (share < 0) return badShown(value, "not a number from 0 to 1");
  return { text: percentOf(BigInt(Math.round(share * precision)), BigInt(precision)), raw: String(value) };
}
