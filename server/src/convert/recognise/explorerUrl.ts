import { isAddress } from "../../base/hex.ts";
import { blockReading } from "./blockNumber.ts";
import { chainOfHost, ofChain } from "./chainNote.ts";
import { addressReading, blockHashReading, topicReading, transactionReading } from "./hexReadings.ts";
import { type Reading, type RecogniseScope, reading } from "./reading.ts";

/** Segments of paths that explorers put before a value. */
const pages: ReadonlyMap<string, "transaction" | "address" | "block" | "topic"> = new Map([
  ...["tx", "txs", "transaction", "transactions", "trace", "vmtrace"].map((name) => [name, "transaction"] as const),
  ...["address", "addresses", "account", "accounts", "contract", "token", "tokens", "nft", "profile"].map(
    (name) => [name, "address"] as const,
  ),
  ...["block", "blocks"].map((name) => [name, "block"] as const),
  ...["topic", "event"].map((name) => [name, "topic"] as const),
]);

/**
 * Reads the address of a page of a block explorer. Nothing is fetched from there.
 *
 * @returns `undefined` for texts that are not the address of a page.
 */
export function urlReadings(text: string, scope: RecogniseScope): readonly Reading[] | undefined {
  if (!/^https?:\/\/[^\s"'<>]{1,2000}$/i.test(text) || !URL.canParse(text)) return undefined;
  const { host } = new URL(text);
  const [path = "", query = ""] = text.replace(/^https?:\/\/[^/?#]*/i, "").split("?");
  const note = ` From ${host}, which is not asked.`;
  const found = [...inPath(path, scope, note), ...inQuery(query, scope, note)];
  if (found.length > 0) return found.map((one) => ofChain(one, chainOfHost(host), scope));
  return [
    reading(
      "Page",
      `The address of a page on ${host} without a transaction, an address or a block. Nothing is fetched from it.`,
    ),
  ];
}

function inPath(path: string, scope: RecogniseScope, note: string): readonly Reading[] {
  const segments = path.split(/[/#]/).slice(0, 50);
  return segments.flatMap((segment, at) => {
    const page = pages.get(segment.toLowerCase());
    const value = page && segments.slice(at + 1, at + 3).find(isValue);
    return page && value !== undefined ? valueReadings(page, value, scope, note) : [];
  });
}

function isValue(text: string): boolean {
  return /^0x(?:[\da-f]{64}|[\da-f]{40})$/i.test(text) || /^\d{1,12}$/.test(text);
}

function valueReadings(
  page: "transaction" | "address" | "block" | "topic",
  value: string,
  scope: RecogniseScope,
  note: string,
): readonly Reading[] {
  if (isAddress(value)) return [addressReading(value, scope, note)];
  if (/^\d+$/.test(value)) return page === "block" ? [blockReading(BigInt(value), note)] : [];
  if (page === "topic") return [topicReading(value.toLowerCase(), scope)];
  return [page === "block" ? blockHashReading(value, note) : transactionReading(value, note)];
}

/** Members such as `?a=0x…` of a token's page, or `?safe=eth:0x…`. */
function inQuery(query: string, scope: RecogniseScope, note: string): readonly Reading[] {
  const values = query.match(/(?<![\da-z])0x(?:[\da-f]{64}|[\da-f]{40})(?![\da-f])/gi) ?? [];
  return values
    .slice(0, 20)
    .map((value) => (isAddress(value) ? addressReading(value, scope, note) : transactionReading(value, note)));
}
