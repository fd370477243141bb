import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject, printJson } from "../base/json.ts";
import type { Id } from "./outcome.ts";
import { idKey } from "./wire.ts";

/** The answer to one request. `item` counts the objects of the body, to slice its text later. */
export type MatchedResponse =
  | { readonly kind: "result"; readonly value: JsonValue; readonly item: number }
  | { readonly kind: "error"; readonly error: RpcError }
  | {
      readonly kind: "none";
      readonly reason: "wrong-id" | "missing-in-batch" | "not-json-rpc";
      readonly detail: string;
    };

export interface RpcError {
  readonly code: number | undefined;
  readonly message: string;
  readonly data: JsonValue | undefined;
}

/** The answers to a message, one for each request; or one error that refuses the whole message. */
export type MatchedResponses =
  | { readonly kind: "each"; readonly answers: readonly MatchedResponse[] }
  | { readonly kind: "whole"; readonly error: RpcError }
  | { readonly kind: "foreign"; readonly detail: string };

/**
 * Matches the body of an answer to the requests of its message.
 *
 * A result counts only under the id of its request, by value and type. An error is also accepted
 * under `null`, without an id, or under the id as a string if that fits one request only. Gateways that refuse
 * often echo ids wrongly, and the user should see the refusal; but a result under a wrong id may be the
 * result of another request.
 *
 * @param ids - Of the requests, in order; `undefined` for one without a usable id, which is sent alone.
 * @param succeeded - The HTTP status is a success; then a sentence in other JSON does not count as a refusal.
 */
export function matchResponses(
  body: JsonValue,
  ids: readonly (Id | undefined)[],
  succeeded: boolean,
): MatchedResponses {
  const items = isArray(body) ? body : [body];
  const replies = repliesIn(items);
  if (replies.length === 0) return foreign(body, ids.length, succeeded);
  const [only] = replies;
  if (only && replies.length === 1 && speaksForAll(only, isArray(body), ids)) {
    return { kind: "whole", error: only.error };
  }
  return { kind: "each", answers: matchEach(replies, ids) };
}

function repliesIn(items: readonly JsonValue[]): readonly Reply[] {
  const replies: Reply[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    const found = item === undefined ? undefined : reply(item, at);
    if (found) replies.push(found);
  }
  return replies;
}

interface Reply {
  readonly item: number;
  /** `undefined` if the answer has no id. */
  readonly id: Id | undefined;
  readonly result: JsonValue | undefined;
  readonly error: RpcError | undefined;
}

function reply(item: JsonValue, index: number): Reply | undefined {
  if (!isObject(item)) return undefined;
  const error = readError(item);
  // `"result": null` beside an error is an error; `"error": null` beside a result is a result
  if (!error && (item.result === undefined || (item.error !== undefined && item.error !== null))) return undefined;
  return { item: index, id: usableId(item.id), result: error ? undefined : item.result, error };
}

function usableId(id: JsonValue | undefined): Id | undefined {
  return id === null || typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? id : undefined;
}

function readError({ error }: JsonObject): RpcError | undefined {
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  const text = typeof message === "string" ? message : message === undefined ? "" : printJson(message);
  return { code: numericCode(code), message: text, data: data ?? undefined };
}

/** Some gateways write the code as a string. */
function numericCode(code: JsonValue | undefined): number | undefined {
  if (typeof code === "string") return /^-?\d{1,9}$/.test(code) ? Number(code) : undefined;
  return typeof code === "number" || typeof code === "bigint" ? Number(code) : undefined;
}

/** Finds an error that refuses a whole batch: one object, or one item without the id of a request. */
function speaksForAll(
  only: Reply,
  listed: boolean,
  ids: readonly (Id | undefined)[],
): only is Reply & { readonly error: RpcError } {
  if (!only.error || ids.length < 2) return false;
  return !listed || only.id === undefined || only.id === null;
}

function matchEach(replies: readonly Reply[], ids: readonly (Id | undefined)[]): readonly MatchedResponse[] {
  const asked = new Set<Id | undefined>();
  for (const id of ids) asked.add(key(id));
  /** The first answer under each id, and those that have more. */
  const byId = new Map<Id | undefined, Reply>();
  const repeated = new Map<Id | undefined, Reply[]>();
  const strays: Reply[] = [];
  for (const each of replies) {
    const name = key(each.id);
    const first = byId.get(name);
    const more = repeated.get(name);
    if (!asked.has(name)) strays.push(each);
    else if (!first) byId.set(name, each);
    else if (more) more.push(each);
    else repeated.set(name, [first, each]);
  }
  const errors = strays.length === 0 ? noErrors : strayErrors(strays, ids);
  const answers: MatchedResponse[] = [];
  for (const id of ids) {
    const name = key(id);
    const first = id === undefined ? replies[0] : byId.get(name);
    const all = id === undefined ? replies : repeated.get(name);
    if (!first) answers.push(unmatched(id, ids.length, strays, errors));
    else if (all && all.length > 1 && new Set(all.map(printed)).size > 1)
      answers.push(none("wrong-id", "it gave two different answers with the same id"));
    else answers.push(toAnswer(first));
  }
  return answers;
}

function key(id: Id | undefined): Id | undefined {
  return id === undefined ? undefined : idKey(id);
}

const noErrors: ReadonlyMap<string | undefined, RpcError> = new Map();

/** Returns errors under unknown ids, by the only request that each can belong to; under `undefined` the one for all. */
function strayErrors(
  strays: readonly Reply[],
  ids: readonly (Id | undefined)[],
): ReadonlyMap<string | undefined, RpcError> {
  const found = new Map<string | undefined, RpcError>();
  for (const { id, error } of strays) if (error && !found.has(loosely(id))) found.set(loosely(id), error);
  const seen = new Set<string | undefined>();
  for (const name of ids.map(loosely)) {
    if (name !== undefined && seen.has(name)) found.delete(name); // 1 and "1" in one batch
    seen.add(name);
  }
  return found;
}

function unmatched(
  id: Id | undefined,
  count: number,
  strays: readonly Reply[],
  errors: ReadonlyMap<string | undefined, RpcError>,
): MatchedResponse {
  const error = errors.get(loosely(id)) ?? errors.get(undefined);
  if (error) return { kind: "error", error };
  if (count > 1) {
    const others = strays.length > 0 ? ", and has answers with ids that were not sent" : "";
    return none("missing-in-batch", `its answer leaves this request of the batch out${others}`);
  }
  return none("wrong-id", `it answered with ${shown(strays[0]?.id)} instead of ${shown(id)}`);
}

/** Returns an id without its type, to find the request that an error belongs to. */
function loosely(id: Id | undefined): string | undefined {
  return id === undefined || id === null ? undefined : String(id);
}

function shown(id: Id | undefined): string {
  if (id === undefined) return "no id";
  const text = printJson(id);
  return `the id ${text.length > 40 ? `${text.slice(0, 39)}…` : text}`;
}

function printed({ result, error }: Reply): string {
  return printJson([result ?? null, describe(error)]);
}

function describe(error: RpcError | undefined): JsonValue {
  return error ? [error.code ?? null, error.message, error.data ?? null] : null;
}

function toAnswer({ error, result, item }: Reply): MatchedResponse {
  if (error) return { kind: "error", error };
  return { kind: "result", value: result ?? null, item };
}

function none(reason: "wrong-id" | "missing-in-batch", detail: string): MatchedResponse {
  return { kind: "none", reason, detail };
}

/** Reads JSON that is not JSON-RPC. Gateways put a sentence somewhere in it; if there is one, it is a refusal. */
function foreign(body: JsonValue, count: number, succeeded: boolean): MatchedResponses {
  const message = sentence(isArray(body) ? body[0] : body, succeeded ? ["error"] : sentenceKeys);
  const code = isObject(body) && !isObject(body.error) ? numericCode(body.code) : undefined;
  if (message) return { kind: "whole", error: { code, message, data: isObject(body) ? body : undefined } };
  const what = isArray(body) && body.length === 0 ? "an empty list" : "JSON that is neither a result nor an error";
  return { kind: "foreign", detail: count > 1 ? `${what} to a batch` : what };
}

const sentenceKeys = ["error", "message", "Message", "detail", "error_description", "msg", "reason"];

function sentence(body: JsonValue | undefined, keys: readonly string[]): string | undefined {
  if (!isObject(body)) return undefined;
  for (const key of keys) {
    const text = body[key];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
