import { shortQuantity, toQuantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonValue, parseJson } from "../../base/json.ts";
import { memberSpans } from "../../base/jsonScan.ts";
import { slice } from "../../base/span.ts";
import { replaced } from "../../base/text.ts";
import type { RawRequest } from "../../rpc/wire.ts";

/** An `eth_getLogs` request whose range can be read in parts. */
export interface LogFilter {
  /** A number, or a block tag. */
  readonly from: bigint | string;
  readonly to: bigint | string;
  /** The parameters without the range: equal for two requests that differ in their blocks only. */
  readonly key: string;
  /** Makes the same request for other blocks; everything else stays as it was written. */
  over(from: bigint, to: bigint | "pending"): RawRequest;
}

const tags = new Set(["earliest", "finalized", "safe", "latest", "pending"]);

/** @returns `undefined` if there is no range: another method, a `blockHash`, malformed parameters. */
export function logFilter(request: RawRequest): LogFilter | undefined {
  if (request.method !== "eth_getLogs") return undefined;
  const [span] = memberSpans(request.text, "params");
  if (!span) return undefined;
  const params = slice(request.text, span);
  const list = parseJson(params);
  const filter = isArray(list) ? list[0] : undefined;
  if (!isObject(filter) || (filter.blockHash !== undefined && filter.blockHash !== null)) return undefined;
  const [from, to] = [blockOf(filter.fromBlock), blockOf(filter.toBlock)];
  if (from === undefined || to === undefined) return undefined;
  const isEmpty = Object.keys(filter).length === 0;
  return {
    from,
    to,
    key: withEnds(params, { fromBlock: "", toBlock: "" }, isEmpty),
    over: (first, last) => {
      const ends = { fromBlock: toQuantity(first), toBlock: last === "pending" ? last : toQuantity(last) };
      const text = replaced(request.text, [{ span, insert: withEnds(params, ends, isEmpty) }]);
      return { id: request.id, method: request.method, text };
    },
  };
}

function blockOf(value: JsonValue | undefined): bigint | string | undefined {
  if (value === undefined || value === null) return "latest";
  if (typeof value === "string" && tags.has(value)) return value;
  const number = shortQuantity(value);
  return number !== undefined && number >= 0n ? number : undefined;
}

/** Replaces the ends of the range in the text of the parameters. Missing ends are added in front. */
function withEnds(params: string, ends: Readonly<Record<string, string>>, isEmpty: boolean): string {
  const edits: Parameters<typeof replaced>[1][number][] = [];
  const missing: string[] = [];
  for (const [name, value] of Object.entries(ends)) {
    const [span] = memberSpans(params, name);
    if (span) edits.push({ span, insert: JSON.stringify(value) });
    else missing.push(`"${name}":"${value}"`);
  }
  const start = params.indexOf("{") + 1;
  if (missing.length > 0) edits.push({ span: { start, end: start }, insert: missing.join(",") + (isEmpty ? "" : ",") });
  return replaced(
    params,
    edits.sort((a, b) => a.span.start - b.span.start),
  );
}
