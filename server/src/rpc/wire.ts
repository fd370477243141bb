import { type JsonValue, printJson } from "../base/json.ts";
import type { Id } from "./outcome.ts";

/** One request, ready to send. */
export interface RawRequest {
  /** The exact JSON text; it is sent unchanged. */
  readonly text: string;
  /** `undefined` if the text has no valid id (an object, an array, none): such a request is sent alone. */
  readonly id: Id | undefined;
  readonly method: string;
}

/** Limits of one HTTP body. */
export interface BatchLimits {
  readonly items: number;
  /** UTF-16 code units of request text. */
  readonly length: number;
}

/**
 * The default limits of a batch. geth accepts 1,000 requests; the smallest known body limit
 * is anvil's 2 MiB.
 * @see https://github.com/ethereum/go-ethereum/blob/master/node/defaults.go (BatchRequestLimit)
 */
export const defaultBatch: BatchLimits = { items: 1000, length: 1_000_000 };

/** Returns an id as a key of sets and maps: `1` and `"1"` differ, a large integer is equal however it was read. */
export function idKey(id: Id): Id {
  return typeof id === "number" && Number.isInteger(id) && !Number.isSafeInteger(id) ? BigInt(id) : id;
}

/** @example bodyOf([{ text: "{…}" }]); //=> "{…}", and "[{…},{…}]" for two */
export function bodyOf(requests: readonly RawRequest[]): string {
  const [only] = requests;
  if (requests.length === 1 && only) return only.text;
  const texts: string[] = [];
  for (const { text } of requests) texts.push(text);
  return `[${texts.join(",")}]`;
}

/**
 * Divides requests into messages, in order. Equal ids never share a message, and neither do requests whose answer
 * would look like a failure of the whole message (`id: null`, or no usable id).
 *
 * @returns Indices into `requests`.
 */
export function messages(requests: readonly RawRequest[], limits: BatchLimits | false): readonly (readonly number[])[] {
  if (limits === false) return requests.map((_, index) => [index]);
  if (fitInOne(requests, limits)) return [requests.map((_, index) => index)];
  const open: Message[] = [];
  const closed: (readonly number[])[] = [];
  let index = -1;
  for (const { id, text } of requests) {
    index++;
    if (id === undefined || id === null) {
      closed.push([index]);
      continue;
    }
    const key = idKey(id);
    let message = roomFor(open, key, text, limits);
    if (!message) {
      message = { indices: [], keys: new Set(), length: 0 };
      open.push(message);
    }
    message.indices.push(index);
    message.keys.add(key);
    message.length += text.length;
    // A full message is not searched again, so the search stays short.
    if (message.indices.length >= limits.items) closed.push(...open.splice(open.indexOf(message), 1).map(indicesOf));
  }
  return [...closed, ...open.map(indicesOf)].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

/** The usual case: the ids are ascending numbers, and no limit is reached. */
function fitInOne(requests: readonly RawRequest[], { items, length }: BatchLimits): boolean {
  if (requests.length === 0 || requests.length > items) return false;
  let last = Number.NEGATIVE_INFINITY;
  let total = 0;
  for (const { id, text } of requests) {
    total += text.length;
    if (typeof id !== "number" || id <= last || id > Number.MAX_SAFE_INTEGER || total > length) return false;
    last = id;
  }
  return true;
}

interface Message {
  readonly indices: number[];
  readonly keys: Set<Id>;
  length: number;
}

function indicesOf({ indices }: Message): readonly number[] {
  return indices;
}

function roomFor(open: readonly Message[], key: Id, text: string, limits: BatchLimits): Message | undefined {
  for (const message of open)
    if (!message.keys.has(key) && message.length + text.length <= limits.length) return message;
  return undefined;
}

/** A request that the server makes itself, beside those of cells. */
export interface OwnRequest extends RawRequest {
  readonly id: number;
  readonly params: JsonValue;
}

/** Requests of cells count from 1 in each run, so they stay below this, and both kinds can share a batch or a socket. */
const firstId = 1_000_000_000;

let lastId = firstId - 1;

/** Returns whether an id, as it is written, is one of {@link ownRequest}. */
export function isOwnId(id: string | undefined): boolean {
  return id !== undefined && /^\d{10,15}$/.test(id) && Number(id) >= firstId;
}

/** Makes a request under an id that no other request of this process has. */
export function ownRequest(method: string, params: JsonValue): OwnRequest {
  const id = ++lastId;
  return { text: printJson({ jsonrpc: "2.0", id, method, params }), id, method, params };
}
