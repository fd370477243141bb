import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { oneLine, shortHex } from "../base/text.ts";
import { formatBytes, formatDuration, grouped } from "../base/units.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import { typeNamed } from "../catalog/types.ts";
import type { Exchange } from "../rpc/outcome.ts";
import type { Fact } from "./report.ts";

/** Who answered, what state was asked for, how long it took. */
export function factsOf(spec: MethodSpec | undefined, params: JsonValue, exchange: Exchange): readonly Fact[] {
  const { endpoint, host, status, durationMs, bytes, batch, attempts } = exchange;
  const block = requestedBlock(spec, params);
  const source = oneLine(endpoint === host ? host : `${endpoint} (${host})`, 200);
  return [
    // a recorded answer always says so
    { name: "endpoint", value: source, short: /^recorded\b/.test(host) ? source : oneLine(endpoint, 80) },
    ...(block === undefined ? [] : [blockFact(block)]),
    { name: "time", value: formatDuration(durationMs), short: formatDuration(durationMs) },
    ...(bytes >= 100_000 ? [{ name: "size", value: formatBytes(bytes) }] : []),
    ...(batch > 1 ? [{ name: "batch", value: `of ${batch} requests` }] : []),
    ...(attempts > 1 ? [{ name: "attempts", value: String(attempts) }] : []),
    ...(status === undefined || status === 200 ? [] : [{ name: "HTTP", value: String(status) }]),
  ];
}

function blockFact(block: string): Fact {
  const pending = /\bpending\b/.test(block) ? ({ role: "pending" } as const) : {};
  const short = /^[\d,]+$/.test(block) ? `block ${block}` : block;
  return { name: block.includes(" to ") ? "blocks" : "block", value: block, short, ...pending };
}

/** The block or blocks that a request asks about, or its default if it names none. */
export function requestedBlock(spec: MethodSpec | undefined, params: JsonValue): string | undefined {
  const place = spec && blockPlace(spec);
  if (!place || place.at < 0) return undefined;
  const value = isArray(params) ? params[place.at] : undefined;
  if (place.isFilter) return isObject(value) ? requestedRange(value) : undefined;
  if (value !== undefined && value !== null) return blockText(value);
  return place.fallback;
}

/** Whether requests of a method are about a block that their parameters name. */
export function takesBlock(spec: MethodSpec | undefined): boolean {
  return spec !== undefined && blockPlace(spec).at >= 0;
}

/** Finds the parameter that names the block; -1 if there is none. */
const blockPlace = memoByObject(({ params }: MethodSpec) => {
  const at = params.findIndex(({ type }) => {
    const known = typeNamed(type);
    return type === "filter" || (known?.kind === "union" && known.role === "block");
  });
  const found = params[at];
  const fallback = found?.default === undefined ? undefined : blockText(found.default.replace(/"/g, ""));
  return { at, isFilter: found?.type === "filter", fallback };
});

function requestedRange({ fromBlock, toBlock, blockHash }: JsonObject): string {
  if (blockHash !== undefined && blockHash !== null) return blockText(blockHash);
  const [from, to] = [blockText(fromBlock ?? "latest"), blockText(toBlock ?? "latest")];
  return from === to ? from : `${from} to ${to}`;
}

function blockText(block: JsonValue): string {
  if (isObject(block)) return blockText(block.blockHash ?? block.blockNumber ?? null);
  if (typeof block === "string" && /^[a-z]{1,20}$/.test(block)) return block;
  if (typeof block === "string" && block.length === 66) return oneLine(shortHex(block));
  const number = quantity(block);
  if (number !== undefined) return grouped(number);
  return oneLine(typeof block === "string" ? JSON.stringify(block) : String(block), 40); // as it is written
}
