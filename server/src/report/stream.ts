import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { callShown } from "./call.ts";
import { logSections } from "./logs.ts";
import { listSection } from "./object.ts";
import type { Section, Shown } from "./report.ts";
import { addressShown, blockTimeShown, hashShown, plainShown, quantityShown, statusShown } from "./shown.ts";
import { type Cells, filled, nothing, present, table } from "./table.ts";
import type { View, ViewContext } from "./view.ts";

/** The items that a subscription received, the newest first. */
export function streamView(items: readonly JsonValue[], context: ViewContext): View {
  const kind = isArray(context.params) ? context.params[0] : undefined;
  const newest = items.toReversed();
  const { noun, sections } = shownAs(kind, newest, context);
  return { summary: items.length === 0 ? `no ${noun}s yet` : plural(items.length, noun), sections };
}

function shownAs(
  kind: JsonValue | undefined,
  items: readonly JsonValue[],
  context: ViewContext,
): { readonly noun: string; readonly sections: readonly Section[] } {
  const rows = (noun: string, columns: readonly Cells<JsonValue>[]) => ({
    noun,
    sections: items.length === 0 ? [] : [table(items, filled(items, columns), undefined, { json: (row) => row })],
  });
  switch (kind) {
    case "logs":
    case "pendingLogs":
      return {
        noun: "log",
        sections: logSections(
          items.map((log) => ({ log, place: [] })),
          [],
          context,
          { mined: true },
        ),
      };
    case "newHeads":
      return rows("block", blockColumns());
    case "newFlashblocks":
      return rows("flashblock", blockColumns());
    case "newPendingTransactions":
    case "newFlashblockTransactions":
      return rows("transaction", transactionColumns(context));
    case "transactionReceipts":
      return { noun: "receipt", sections: items.length === 0 ? [] : [listSection("receipt", items, context)] };
    default:
      return rows("item", [{ name: "Value", of: plainShown }]);
  }
}

type Show = (value: JsonValue) => Shown;

function of(read: (object: JsonObject) => JsonValue | undefined, show: Show): Cells<JsonValue>["of"] {
  return (item) => (isObject(item) ? present(read(item), show) : nothing);
}

/** Under its name in a block of RPC; else in the parts of a flashblock as its builder sends it. */
function part(own: string, ...inside: readonly (readonly [part: string, name: string])[]) {
  return (item: JsonObject): JsonValue | undefined => {
    if (item[own] !== undefined) return item[own];
    for (const [name, member] of inside) {
      const found = item[name];
      if (isObject(found) && found[member] !== undefined) return found[member];
    }
    return undefined;
  };
}

/**
 * A block, a header, or a flashblock in either of its shapes.
 * @see https://docs.base.org/base-chain/api-reference/flashblocks-api/flashblocks-api-overview
 */
function blockColumns(): readonly Cells<JsonValue>[] {
  const transactions = part("transactions", ["diff", "transactions"]);
  return [
    {
      name: "Block",
      align: "right",
      of: of(part("number", ["metadata", "block_number"], ["base", "block_number"]), (value) =>
        quantityShown(value, "block"),
      ),
    },
    { name: "Part", align: "right", of: of(({ index }) => index, plainShown) },
    {
      name: "Transactions",
      align: "right",
      of: of(transactions, (value) => (isArray(value) ? { text: String(value.length) } : plainShown(value))),
    },
    {
      name: "Gas used",
      align: "right",
      of: of(part("gasUsed", ["diff", "gas_used"]), (value) => quantityShown(value, "gas")),
    },
    {
      name: "Base fee",
      align: "right",
      of: of(part("baseFeePerGas", ["base", "base_fee_per_gas"]), (value) => quantityShown(value, "wei")),
    },
    {
      name: "Time",
      of: (item) =>
        (isObject(item)
          ? blockTimeShown(part("timestamp", ["base", "timestamp"])(item), item.timestampMs)
          : undefined) ?? nothing,
    },
    { name: "Hash", of: of(part("hash", ["diff", "block_hash"]), hashShown) },
    { name: "Payload", of: of(part("payload_id"), plainShown) },
    { name: "Value", of: (item) => (isObject(item) ? nothing : plainShown(item)) },
  ];
}

/** The gas prices that transactions offer. */
const fees = [
  ["Gas price", "gasPrice"],
  ["Max fee", "maxFeePerGas"],
  ["Max priority fee", "maxPriorityFeePerGas"],
  ["Max blob fee", "maxFeePerBlobGas"],
] as const;

/** Whole transactions, or their hashes alone. */
function transactionColumns(context: ViewContext): readonly Cells<JsonValue>[] {
  const address: Show = (value) => addressShown(value, context.labels);
  return [
    { name: "Transaction", of: (item) => present(isObject(item) ? item.hash : item, hashShown) },
    { name: "From", of: of(({ from }) => from, address) },
    { name: "To", of: of(({ to }) => to, address) },
    {
      name: "Value",
      align: "right",
      of: of(
        ({ value }) => (quantity(value) === 0n ? undefined : value),
        (value) => quantityShown(value, "wei"),
      ),
    },
    {
      name: "Call",
      of: (item) =>
        isObject(item) && item.input !== "0x" && item.to !== null
          ? present(item.input, (input) => callShown(input, context, item.to))
          : nothing,
    },
    ...fees.map(
      ([name, member]): Cells<JsonValue> => ({
        name,
        align: "right",
        of: of(
          (item) => item[member],
          (value) => quantityShown(value, "wei"),
        ),
      }),
    ),
    { name: "Status", of: of(({ status }) => status, statusShown) },
    {
      name: "Gas used",
      align: "right",
      of: of(
        ({ gasUsed }) => gasUsed,
        (value) => quantityShown(value, "gas"),
      ),
    },
    {
      name: "Logs",
      align: "right",
      of: of(
        ({ logs }) => logs,
        (logs) => (isArray(logs) ? { text: String(logs.length) } : nothing),
      ),
    },
  ];
}
