import type { AbiScope } from "../abi/abiScope.ts";
import type { DecodedCall } from "../abi/decodeCall.ts";
import { decodeCall } from "../abi/decodeCall.ts";
import { decodeLog } from "../abi/decodeLog.ts";
import { isAddress } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { dataOf } from "./call.ts";
import { maxRows } from "./table.ts";
import { returnsAmount, tokenAddresses } from "./tokens.ts";

/**
 * The contracts whose amounts a report would show, in lower case: emitters of transfers and approvals, targets of calls
 * such as `balanceOf`. Only what a table shows of the logs is looked at.
 */
export function tokensIn(
  { method, params }: { readonly method: string; readonly params: JsonValue | undefined },
  result: JsonValue,
  scope: AbiScope | undefined,
): ReadonlySet<string> {
  const found = new Set<string>();
  const type = methodNamed(method)?.result ?? "";
  let logs = 0;
  const add = (addresses: readonly string[]): void => {
    for (const address of addresses) found.add(address);
  };
  const lookAtLogs = (value: JsonValue | undefined): void => {
    for (const log of isArray(value) ? value : []) if (logs++ < maxRows) add(inLog(log, scope));
  };
  const lookAtCalls = (value: JsonValue | undefined): void => {
    for (const call of isArray(value) ? value.slice(0, maxRows) : []) add(inCall(call, scope));
  };
  if (type === "log[]") lookAtLogs(result);
  else if (type === "receipt") lookAtLogs(isObject(result) ? result.logs : undefined);
  else if (type === "transaction") add(inCall(result, scope));
  else if (type === "blockInfo") lookAtCalls(isObject(result) ? result.transactions : undefined);
  else if (type === "trace") lookAtCalls([result]);
  else if (type === "returndata") add(inCall(isArray(params) ? (params[0] ?? null) : null, scope));
  else if (type === "receipt[]" || type === "simulatedBlock[]") {
    for (const one of isArray(result) ? result : []) {
      if (logs >= maxRows || !isObject(one)) break;
      lookAtLogs(one.logs);
      for (const call of isArray(one.calls) ? one.calls : []) lookAtLogs(isObject(call) ? call.logs : undefined);
    }
    const payload = isArray(params) && isObject(params[0]) ? params[0].blockStateCalls : undefined;
    for (const entry of isArray(payload) ? payload.slice(0, maxRows) : []) {
      lookAtCalls(isObject(entry) ? entry.calls : undefined);
    }
  }
  return found;
}

const withTokens: ReadonlySet<string> = new Set([
  "log[]",
  "receipt",
  "transaction",
  "blockInfo",
  "trace",
  "returndata",
  "receipt[]",
  "simulatedBlock[]",
]);

/** Whether {@link tokensIn} could find any for a method, whatever it answers. */
export function mayNameTokens(method: string): boolean {
  return withTokens.has(methodNamed(method)?.result ?? "");
}

function inLog(log: JsonValue, scope: AbiScope | undefined): readonly string[] {
  const event = decodeLog(log, scope);
  if (!event || event.native || event.args.some(({ type, indexed }) => indexed && type === "uint256")) return [];
  const values = event.args.map(({ value }) => value);
  const self = isObject(log) ? log.address : undefined;
  return tokenAddresses({ kind: "event", signature: event.signature, values, self });
}

function inCall(call: JsonValue, scope: AbiScope | undefined): readonly string[] {
  if (!isObject(call)) return [];
  const decoded = decodeCall(dataOf(call), scope, call.to);
  return decoded ? [...called(decoded, call.to)] : [];
}

function* called({ signature, args, inner }: DecodedCall, to: JsonValue | undefined): Generator<string> {
  if (returnsAmount(signature) && isAddress(to)) yield to.toLowerCase();
  yield* tokenAddresses({ kind: "function", signature, values: args.map(({ value }) => value), self: to });
  for (const one of inner) if (one.call) yield* called(one.call, one.to);
}
