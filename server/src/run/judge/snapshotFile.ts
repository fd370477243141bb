import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../../base/json.ts";

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
  const { method, request, block, result, error } = value;
  if (typeof method !== "string" || typeof request !== "string") return undefined;
  if (block !== undefined && typeof block !== "string") return undefined;
  const answer = { ...(result !== undefined && { result }), ...(error !== undefined && { error }) };
  return { method, request, block, answer };
}

/**
 * Prints a snapshot with a final line break; the same snapshot always gives the same text.
 *
 * @param before - The text of the file until now: members that a person has added to it stay.
 */
export function printSnapshot(snapshot: Snapshot, before = ""): string {
  const {
    rpcNotebookSnapshot: _version,
    cells: oldCells,
    ...others
  } = membersOf(parseJson(before.replace(/^\ufeff/, "")));
  const cellsBefore = new Map(Object.entries(membersOf(oldCells)));
  const cells = [...snapshot].map(([key, { endpoint, at, answers }]): readonly [string, JsonValue] => {
    const { endpoint: _endpoint, at: _at, answers: oldAnswers, ...added } = membersOf(cellsBefore.get(key));
    return [key, { endpoint, at, answers: answers.map((one, nth) => answerJson(one, oldAnswers, nth)), ...added }];
  });
  return `${printJson({ rpcNotebookSnapshot: version, cells: Object.fromEntries(cells), ...others }, 2)}\n`;
}

function answerJson({ method, request, block, answer }: RecordedAnswer, before: JsonValue | undefined, nth: number) {
  const {
    method: _method,
    block: _block,
    result: _result,
    error: _error,
    ...old
  } = membersOf(isArray(before) ? before[nth] : undefined);
  return {
    method,
    request,
    ...(block !== undefined && { block }),
    ...(isObject(answer) ? answer : { result: answer }),
    ...(old.request === request && old),
  };
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
