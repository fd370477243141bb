import type { AbiScope } from "../abi/abiScope.ts";
import type { CompiledEvent } from "../abi/compiledEvent.ts";
import type { DecodedCall } from "../abi/decodeCall.ts";
import { decodeCall } from "../abi/decodeCall.ts";
import { argKeys, requestedCalls } from "../abi/decodedResult.ts";
import { type DecodedArg, isNativeTransfer, type LogReader, logReader } from "../abi/decodeLog.ts";
import { encodedLogs } from "../abi/encodedLogs.ts";
import { decodeReturns, innerReturns } from "../abi/innerReturns.ts";
import type { ValuePath } from "../abi/nested.ts";
import { isAddress } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { methodNamed } from "../catalog/catalog.ts";
import type { MethodSpec, TypeRef } from "../catalog/spec.ts";
import { dataOf } from "./call.ts";
import { maxRows } from "./table.ts";
import { returnsAmount, tokenAmounts } from "./tokens.ts";

/** An amount of a token among what an answer holds. */
export interface Amount {
  /**
   * The path in `decoded`: of the amount, or of the list with the log that it is in. `undefined` for amounts of a request, which
   * are not there.
   */
  readonly path: ValuePath | undefined;
  /** The index of the log. */
  readonly at?: number;
  /** The argument of the log. */
  readonly key?: string;
  /** The contract, in lower case. */
  readonly token: string;
  /** In the token's smallest unit, decimal digits; `undefined` if it was not read. */
  readonly amount: JsonValue | undefined;
}

interface AnsweredRequest {
  readonly method: string;
  /** The method as the document's catalogue describes it; by default as the bundled catalogue does. */
  readonly spec?: MethodSpec | undefined;
  readonly params: JsonValue | undefined;
}

/**
 * The contracts whose amounts a report would show, in lower case: emitters of transfers and approvals, targets of calls
 * such as `balanceOf`. Only what a table shows of the logs is looked at.
 */
export function tokensIn(asked: AnsweredRequest, result: JsonValue, scope: AbiScope | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { token } of amountsIn(asked, result, scope, maxRows)) found.add(token);
  return found;
}

const withTokens: ReadonlySet<TypeRef> = new Set([
  "log[]",
  "receipt",
  "transaction",
  "blockInfo",
  "trace",
  "callTrace[]",
  "returndata",
  "receipt[]",
  "simulatedBlock[]",
  "subscriptionId", // of a subscription that has run
]);

/** Whether {@link tokensIn} could find any for a method, whatever it answers. */
export function mayNameTokens({ method, spec = methodNamed(method) }: AnsweredRequest): boolean {
  return withTokens.has(spec?.result ?? "");
}

/**
 * The amounts of tokens that an answer and its request hold.
 *
 * @param most - Logs, and calls of a list, that are looked at.
 */
export function* amountsIn(
  { method, spec = methodNamed(method), params = null }: AnsweredRequest,
  result: JsonValue,
  scope: AbiScope | undefined,
  most = Number.POSITIVE_INFINITY,
): Generator<Amount> {
  const object = isObject(result) ? result : {};
  const type = spec?.result ?? "";
  let left = most;
  const reader = logReader(scope);
  function* inLogs(logs: JsonValue | undefined, path: ValuePath): Generator<Amount> {
    if (!isArray(logs)) return;
    const encodedAt = encodedLogs(logs, reader);
    for (let at = 0; at < logs.length && left > 0; at++, left--) {
      const encoded = encodedAt?.(at);
      const found = encoded
        ? loggedAmounts(encoded.event)(encoded.values, encoded.address)
        : inLog(logs[at] ?? null, reader);
      for (const { key, token, amount } of found) yield { path, at, key, token, amount };
    }
  }
  switch (type === "subscriptionId" ? streamed(params) : type) {
    case "log[]":
      return yield* inLogs(result, []);
    case "receipt":
      return yield* inLogs(object.logs, ["logs"]);
    case "receipt[]":
      for (const [at, receipt] of listOf(result)) {
        if (left <= 0) return;
        if (isObject(receipt)) yield* inLogs(receipt.logs, [at, "logs"]);
      }
      return;
    case "transaction":
      return yield* inCall(object, ["input"], scope);
    case "transaction[]":
      for (const [, one] of listOf(result, most)) if (isObject(one)) yield* inCall(one, undefined, scope);
      return;
    case "blockInfo":
      for (const [at, one] of listOf(object.transactions, most)) {
        if (isObject(one)) yield* inCall(one, ["transactions", at, "input"], scope);
      }
      return;
    case "trace":
      for (const call of tracedCalls([object], most)) yield* inCall(call, undefined, scope);
      return;
    case "callTrace[]":
      for (const call of tracedCalls(isArray(result) ? result : [], most)) yield* inCall(call, undefined, scope);
      return;
    case "returndata": {
      const [call] = isArray(params) ? params : [];
      if (isObject(call)) yield* inReturned(call, result, [], scope);
      return;
    }
    case "simulatedBlock[]":
      for (const { call, asked, path } of simulatedCalls(result, params, most)) {
        if (isObject(asked)) yield* inReturned(asked, call.returnData, [...path, "returnData"], scope);
        yield* inLogs(call.logs, [...path, "logs"]);
      }
  }
}

/** The calls of a trace, nested or flat, as objects with call data and target. */
function tracedCalls(traces: readonly JsonValue[], most: number): readonly JsonObject[] {
  const calls: JsonObject[] = [];
  const waiting = [...traces].reverse();
  for (let next = waiting.pop(); next !== undefined && calls.length < most; next = waiting.pop()) {
    if (!isObject(next)) continue;
    calls.push(isObject(next.action) ? next.action : next);
    if (isArray(next.calls)) waiting.push(...next.calls.slice(0, maxRows).toReversed());
  }
  return calls;
}

/** The type of a subscription's items. */
function streamed(params: JsonValue): string {
  const kind = isArray(params) ? params[0] : undefined;
  if (kind === "logs" || kind === "pendingLogs") return "log[]";
  return kind === "transactionReceipts" ? "receipt[]" : "transaction[]";
}

interface SimulatedCall {
  readonly call: JsonObject;
  readonly asked: JsonValue | undefined;
  readonly path: ValuePath;
}

function simulatedCalls(result: JsonValue, params: JsonValue, most: number): readonly SimulatedCall[] {
  const blocks = listOf(result).flatMap(([at, block]) => (isObject(block) ? [{ at, block }] : []));
  const asked = requestedCalls(
    params,
    blocks.map(({ block }) => block),
  );
  return blocks.flatMap(({ at, block }, index) =>
    listOf(block.calls, most).flatMap(([place, call]) =>
      isObject(call) ? [{ call, asked: asked[index]?.[place], path: [at, "calls", place] }] : [],
    ),
  );
}

function listOf(
  value: JsonValue | undefined,
  most = Number.POSITIVE_INFINITY,
): readonly (readonly [number, JsonValue])[] {
  return isArray(value) ? [...value.slice(0, most).entries()] : [];
}

interface LoggedAmount {
  readonly key: string;
  readonly token: string;
  readonly amount: JsonValue | undefined;
}

function inLog(log: JsonValue, reader: LogReader): readonly LoggedAmount[] {
  const event = reader.read(log);
  if (!event) return [];
  const values = event.args.map(({ value }) => value);
  return amountsOf(event.signature, event.args)(values, isObject(log) ? log.address : undefined);
}

const loggedAmounts = memoByObject(({ event, params }: CompiledEvent) => amountsOf(event.signature, params));

/** Returns how to find the amounts in a log of an event. */
function amountsOf(signature: string, args: readonly Pick<DecodedArg, "name" | "type" | "indexed">[]) {
  const isOfIds = args.some(({ type, indexed }) => indexed && type === "uint256");
  const [keys, amountsIn] = [argKeys(args), tokenAmounts("event", signature)];
  return (values: readonly (JsonValue | undefined)[], address: JsonValue = null): readonly LoggedAmount[] =>
    isOfIds || isNativeTransfer(signature, { address })
      ? []
      : amountsIn(values, address).map(({ at, token }) => ({
          key: keys[at] ?? "",
          token,
          amount: values[at],
        }));
}

/** @param path - Of the decoded call data. */
function* inCall(call: JsonObject, path: ValuePath | undefined, scope: AbiScope | undefined): Generator<Amount> {
  const decoded = decodeCall(dataOf(call), scope, call.to);
  if (decoded) yield* called(decoded, call.to, path);
}

function* called(
  { signature, args, inner }: DecodedCall,
  to: JsonValue | undefined,
  path: ValuePath | undefined,
): Generator<Amount> {
  if (returnsAmount(signature) && isAddress(to)) yield { path: undefined, token: to.toLowerCase(), amount: undefined };
  const values = args.map(({ value }) => value);
  const keys = argKeys(args);
  for (const { at, token } of tokenAmounts("function", signature)(values, to)) {
    yield { path: path && [...path, "args", keys[at] ?? ""], token, amount: values[at] };
  }
  for (const [at, one] of inner.entries()) {
    if (one.call) yield* called(one.call, one.to, path && [...path, "calls", at]);
  }
}

/** Amounts in the result of a call and of the calls inside it; those in its call data have no path in `decoded`. */
function* inReturned(
  call: JsonObject,
  data: JsonValue | undefined,
  path: ValuePath,
  scope: AbiScope | undefined,
): Generator<Amount> {
  const asked = decodeCall(dataOf(call), scope, call.to);
  if (!asked) return;
  yield* called(asked, call.to, undefined);
  const [returned] = typeof data === "string" ? decodeReturns([asked.item], data) : [];
  if (!returned || returned.faults.length > 0 || typeof data !== "string") return;
  if (returnsAmount(asked.signature) && isAddress(call.to))
    yield { path: [...path, 0], token: call.to.toLowerCase(), amount: returned.values[0] };
  for (const one of innerReturns(asked, returned, data, scope)) {
    if (one.returned && returnsAmount(one.returned.item.signature) && isAddress(one.asked.to)) {
      const place = [...path, ...one.path, "values", 0];
      yield { path: place, token: one.asked.to.toLowerCase(), amount: one.returned.values[0] };
    }
  }
}
