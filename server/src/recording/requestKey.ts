import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../base/json.ts";

/**
 * A text that is equal for requests that ask the same: members in any order, hex digits in any case, no parameters as
 * an empty list.
 */
export function requestKey(method: string, params: JsonValue | undefined): string {
  return `${method} ${canonical(params ?? [])}`;
}

/** Prints a value; written out, because this runs for each exchange of a recording. */
function canonical(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(/^0x[\dA-F]*$/i.test(value) ? value.toLowerCase() : value);
  if (isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return printJson(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join()}}`;
}

/** Tags of recent blocks. Which block each names moves, so an answer at one serves for another. */
export const recentTags: ReadonlySet<string> = new Set(["pending", "latest", "safe", "finalized"]);
/** Methods with a call or a filter that clients write in different ways. */
const methodsWithObjects: ReadonlySet<string> = new Set([
  "eth_call",
  "eth_createAccessList",
  "eth_estimateGas",
  "eth_getLogs",
  "eth_subscribe",
]);

/**
 * A text that is equal for requests that a node answers alike at recent blocks, however a client writes them: block tags,
 * `input` for `data`, and members that name the default.
 *
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/transaction.yaml (GenericTransaction)
 */
export function looseKey(method: string, params: JsonValue | undefined): string {
  if (!isArray(params)) return requestKey(method, params);
  const [last, ...others] = params.map((one) => looseParam(method, one)).reverse();
  const isDefault = last === "latest" && others.length > 0;
  return requestKey(method, [...others.reverse(), ...(isDefault || last === undefined ? [] : [last])]);
}

function looseParam(method: string, param: JsonValue): JsonValue {
  if (typeof param === "string") return recentTags.has(param) ? "latest" : param;
  return isObject(param) && methodsWithObjects.has(method) ? looseObject(method, param) : param;
}

function looseObject(method: string, object: JsonObject): JsonObject {
  const entries = Object.entries(object).flatMap(([key, value]): readonly [string, JsonValue][] => {
    if (key === "chainId" || key === "nonce") return [];
    if (key === "from") return typeof value === "string" && /^0x0*$/.test(value) ? [] : [[key, value]];
    if (key === "topics") return isArray(value) && value.length === 0 ? [] : [[key, value]];
    if (key === "input") return [["data", value]];
    if (key !== "fromBlock" && key !== "toBlock") return [[key, value]];
    // A subscription delivers new logs only, and a filter without a block means the latest.
    return method === "eth_subscribe" || (typeof value === "string" && recentTags.has(value)) ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** Groups exchanges by a key, in their order. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
