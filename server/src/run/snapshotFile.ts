import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";

/** Raw answers of the cells of a notebook, by cell key. */
export type Snapshot = ReadonlyMap<string, Recorded>;

/** The record of a cell. Secrets are masked. */
export interface Recorded {
  /** The name of the endpoint, never its URL. */
  readonly endpoint: string;
  /** When it was read, as in ISO 8601. */
  readonly at: string;
  /** One for each request, in the order of the cell. */
  readonly answers: readonly RecordedAnswer[];
}

export interface RecordedAnswer {
  readonly method: string;
  /** Hash of the method and the params as they were sent. */
  readonly request: string;
  /** The requested block, as it was sent; `undefined` if the request names none. */
  readonly block: string | undefined;
  /** `{ result }` or `{ error }`, as received. */
  readonly answer: JsonValue;
}

/** The largest answers of a snapshot, in bytes: larger ones could be written, but not read again. */
export const maxRecordedBytes = 64 * 1024 * 1024;

/** The version in every file, so that later versions can be recognized. */
const version = 1;

/**
 * Names the snapshot of a notebook. `NAME.rpc.json` and `NAME.json` have one each: each would remove the cells of the other.
 *
 * @example snapshotUri("file:///a/NAME.rpc.json"); //=> "file:///a/NAME.rpc.snapshot.json"
 * @example snapshotUri("file:///a/NAME.json"); //=> "file:///a/NAME.json.rpc.snapshot.json"
 */
export function snapshotUri(notebook: string): string {
  return `${notebook.replace(/\.rpc\.json$/, "")}.rpc.snapshot.json`;
}

/** @returns `undefined` if the text is not a snapshot, or has a later version. */
export function readSnapshot(text: string): Snapshot | undefined {
  const root = parseJson(text.replace(/^\ufeff/, ""));
  if (!isObject(root) || root.rpcNotebookSnapshot !== version || !isObject(root.cells)) return undefined;
  const cells = Object.entries(root.cells).map(([key, value]) => [key, recorded(value)] as const);
  const read = cells.flatMap(([key, value]) => (value ? [[key, value] as const] : []));
  return read.length === cells.length ? new Map(read) : undefined;
}

function recorded(value: JsonValue): Recorded | undefined {
  const { endpoint, at, answers } = isObject(value) ? value : {};
  if (typeof endpoint !== "string" || typeof at !== "string" || !isArray(answers)) return undefined;
  const read = answers.flatMap((one) => recordedAnswer(one) ?? []);
  return read.length === answers.length ? { endpoint, at, answers: read } : undefined;
}

function recordedAnswer(value: JsonValue): RecordedAnswer | undefined {
  if (!isObject(value)) return undefined;
  const { method, request, block, ...answer } = value;
  if (typeof method !== "string" || typeof request !== "string") return undefined;
  if (block !== undefined && typeof block !== "string") return undefined;
  return { method, request, block, answer: answer as JsonObject }; // the rest of an object
}

/** Prints a snapshot with a final line break; the same snapshot always gives the same text. */
export function printSnapshot(snapshot: Snapshot): string {
  const cells = [...snapshot].map(([key, { endpoint, at, answers }]): readonly [string, JsonValue] => [
    key,
    {
      endpoint,
      at,
      answers: answers.map(({ method, request, block, answer }) => ({
        method,
        request,
        ...(block !== undefined && { block }),
        ...(isObject(answer) ? answer : { result: answer }),
      })),
    },
  ]);
  return `${printJson({ rpcNotebookSnapshot: version, cells: Object.fromEntries(cells) }, 2)}\n`;
}
