import type { Anvil } from "./anvil.ts";
import { elements, member, members, parse } from "./json.ts";

/** One request, read as far as it has to be understood; the rest stays text. */
export interface Call {
  readonly method: string;
  /** The params as `JSON.parse` returns them: big numbers are rounded here and nowhere else. */
  readonly params: readonly unknown[];
  /** The text of `params`; `undefined` if there are none. */
  readonly rawParams: string | undefined;
  /** The text of `id`; `undefined`: a notification, which has no answer. */
  readonly rawId: string | undefined;
}

/** A response without its id. */
export interface Reply {
  /** HTTP status of the answer to a single request. */
  readonly status: number;
  /** `"result":…` or `"error":{…}`, as it is sent. */
  readonly body: string;
}

export interface Malformed {
  readonly malformed: Reply;
  readonly rawId: string;
}

export function ok(rawResult: string): Reply {
  return { status: 200, body: `"result":${rawResult}` };
}

/** @param data - Left out if it is `undefined`. */
export function failure(code: number, message: string, status = 200, data?: string): Reply {
  return { status, body: `"error":${JSON.stringify({ code, message, data })}` };
}

/** Sets a reply into its envelope. The id is written as the request had it. */
export function envelope(rawId: string, reply: Reply): string {
  return `{"jsonrpc":"2.0","id":${rawId},${reply.body}}`;
}

/** The text after `"result":`, or `undefined` for an error. */
export function resultOf(reply: Reply): string | undefined {
  return reply.body.startsWith('"result":') ? reply.body.slice('"result":'.length) : undefined;
}

/** @see https://www.jsonrpc.org/specification (section 4) */
export function readCall(text: string): Call | Malformed {
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return malformed("null");
  const raw = new Map(members(text).map((one) => [one.name, one.raw]));
  const { id, jsonrpc, method, params } = value as Record<string, unknown>; // an object of any members
  if (typeof id === "object" && id !== null) return malformed("null");
  const rawId = raw.get("id");
  if (jsonrpc !== "2.0" || typeof method !== "string" || typeof id === "boolean") return malformed(rawId ?? "null");
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    return { malformed: failure(-32602, "non-array args"), rawId: rawId ?? "null" };
  }
  return { method, params: params ?? [], rawParams: params ? raw.get("params") : undefined, rawId };
}

function malformed(rawId: string): Malformed {
  return { malformed: failure(-32600, "invalid request", 400), rawId };
}

const head = '{"jsonrpc":"2.0","id":1,';

/** Sends calls to anvil as they are, many in one batch, and takes the answers out of their envelopes. */
export async function forward(anvil: Pick<Anvil, "post">, calls: readonly Call[]): Promise<readonly Reply[]> {
  const requests = calls.map(
    ({ method, rawParams }) => `${head}"method":${JSON.stringify(method)},"params":${rawParams ?? "[]"}}`,
  );
  const [alone] = requests;
  if (alone !== undefined && requests.length === 1) return [opened(await anvil.post(alone))];
  const answers = elements(await anvil.post(`[${requests.join()}]`));
  return calls.map((_, i) => opened(answers[i] ?? ""));
}

/** Anvil always begins in the same way; otherwise the members are searched. */
function opened(answer: string): Reply {
  if (answer.startsWith(head)) return { status: 200, body: answer.slice(head.length, -1) };
  const [result, error] = [member(answer, "result"), member(answer, "error")];
  if (result !== undefined) return ok(result);
  return error === undefined ? failure(-32603, "internal error") : { status: 200, body: `"error":${error}` };
}
