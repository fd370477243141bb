import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { callShown } from "./call.ts";
import { logSections } from "./logs.ts";
import { listSection } from "./object.ts";
import type { Section, Shown } from "./report.ts";
import { addressShown, blockTimeShown, hashShown, plainShown, statusShown } from "./shown.ts";
import { type Cells, filled, logCounts, nothing, present, quantities, table } from "./table.ts";
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
    case "pendingLogs": {
      const logs = items.map((log) => ({ log, place: [] }));
      return { noun: "log", sections: logSections(logs, [], context, true) };
    }
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

type Read = (item: JsonValue) => JsonValue | undefined;

function inside(read: (object: JsonObject) => JsonValue | undefined): Read {
  return (item) => (isObject(item) ? read(item) : undefined);
}

const member = (name: string): Read => inside((item) => item[name]);

/** Under its name in a block of RPC; else in the parts of a flashblock as its builder sends it. */
function part(own: string, ...others: readonly (readonly [part: string, name: string])[]): Read {
  return inside((item) => {
    if (item[own] !== undefined) return item[own];
    for (const [name, other] of others) {
      const found = item[name];
      if (isObject(found) && found[other] !== undefined) return found[other];
    }
    return undefined;
  });
}

/**
 * A block, a header, or a flashblock in either of its shapes.
 * @see https://docs.base.org/base-chain/api-reference/flashblocks-api/flashblocks-api-overview
 */
function blockColumns(): readonly Cells<JsonValue>[] {
  const transactions = part("transactions", ["diff", "transactions"]);
  const time = part("timestamp", ["base", "timestamp"]);
  const shown = (name: string, read: Read, show: (value: JsonValue) => Shown): Cells<JsonValue> => ({
    name,
    of: (item) => present(read(item), show),
  });
  const counted = (list: JsonValue): Shown => (isArray(list) ? { text: String(list.length) } : plainShown(list));
  return [
    quantities("Block", "block", part("number", ["metadata", "block_number"], ["base", "block_number"])),
    { ...shown("Part", member("index"), plainShown), align: "right" },
    { ...shown("Transactions", transactions, counted), align: "right" },
    quantities("Gas used", "gas", part("gasUsed", ["diff", "gas_used"])),
    quantities("Base fee", "wei", part("baseFeePerGas", ["base", "base_fee_per_gas"])),
    {
      name: "Time",
      of: (item) => (isObject(item) ? blockTimeShown(time(item), item.timestampMs) : undefined) ?? nothing,
    },
    shown("Hash", part("hash", ["diff", "block_hash"]), hashShown),
    shown("Payload", member("payload_id"), plainShown),
    { name: "Value", of: (item) => (isObject(item) ? nothing : plainShown(item)) },
  ];
}

/** Whole transactions, or their hashes alone. */
function transactionColumns(context: ViewContext): readonly Cells<JsonValue>[] {
  const address = (name: string, read: Read): Cells<JsonValue> => ({
    name,
    of: (item) => present(read(item), (value) => addressShown(value, context.labels)),
  });
  return [
    { name: "Transaction", of: (item) => present(isObject(item) ? item.hash : item, hashShown) },
    address("From", member("from")),
    address("To", member("to")),
    quantities(
      "Value",
      "wei",
      inside(({ value }) => (quantity(value) === 0n ? undefined : value)),
    ),
    {
      name: "Call",
      of: (item) =>
        isObject(item) && item.input !== "0x" && item.to !== null
          ? present(item.input, (input) => callShown(input, context, item.to))
          : nothing,
    },
    quantities("Gas price", "wei", member("gasPrice")),
    quantities("Max fee", "wei", member("maxFeePerGas")),
    quantities("Max priority fee", "wei", member("maxPriorityFeePerGas")),
    quantities("Max blob fee", "wei", member("maxFeePerBlobGas")),
    { name: "Status", of: (item) => present(member("status")(item), statusShown) },
    quantities("Gas used", "gas", member("gasUsed")),
    logCounts(member("logs")),
  ];
}
