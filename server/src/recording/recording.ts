import { type SealedKind, sealed } from "../base/hash.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import type { FaultReason } from "../base/ports.ts";
import { type LeftOut, type RecordedText, textFrom, textJson } from "./recordedText.ts";

/** Requests and their answers, as a file keeps them (`NAME.rpc.recording.json`). */
export interface Recording {
  /** Time of day of the first exchange, in milliseconds since 1970. */
  readonly startedAt: number;
  /** `rpc-notebook 0.1.0`. */
  readonly tool: string;
  /** By the name that requests were sent under. */
  readonly endpoints: Readonly<Record<string, RecordedEndpoint>>;
  /** In the order in which the answers came. */
  readonly exchanges: readonly RecordedExchange[];
  readonly streams: readonly RecordedStream[];
  /** Answers and messages that came when the recording was full. */
  readonly missed?: number;
}

/** Facts about an endpoint at the time of the recording. */
export interface RecordedEndpoint {
  /** Scheme, host and port. */
  readonly site: string;
  readonly chainId?: string;
  /** Number of the latest block, a quantity. */
  readonly head?: string;
  /** Answer to `web3_clientVersion`. */
  readonly client?: string;
}

/** One request and its answer. */
export interface RecordedExchange {
  readonly endpoint: string;
  readonly method: string;
  /** Absent if the request had none. */
  readonly params?: JsonValue;
  /** Asked by the program for itself (heads, decimals, what describes the endpoint), and not by a cell. */
  readonly own?: true;
  /** Milliseconds since `startedAt`, when the request went out. */
  readonly at: number;
  readonly tookMs: number;
  readonly reply: RecordedReply;
}

export type RecordedReply =
  /** The response object of this request, byte for byte; of a batch, its member. */
  | { readonly kind: "answer"; readonly body: RecordedText }
  /** An HTTP answer that holds no response to this request. */
  | {
      readonly kind: "http";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: RecordedText;
    }
  | {
      readonly kind: "fault";
      readonly reason: FaultReason;
      readonly detail: string;
      readonly status?: number;
      /** The request did not leave. */
      readonly sent?: false;
    };

/** A subscription and what it delivered. */
export interface RecordedStream {
  readonly endpoint: string;
  readonly params: JsonValue;
  readonly subscription: string;
  /** Milliseconds since the subscription began, and the notification's text. */
  readonly events: readonly { readonly at: number; readonly text: string }[];
}

const version = 1;
/** The year 9999, in milliseconds since 1970. */
const maxDate = 253_402_300_000_000 - 1e9;

/** Headers of an answer that change how it is read. */
export const keptHeaders: ReadonlySet<string> = new Set(["content-type", "retry-after"]);

/** A recording, or why the text is not one, in a sentence. */
export type ReadRecording = Recording | { readonly fault: string };

/**
 * Reads the text of a recording.
 *
 * @param leftOut - Texts that it must have in answers, and nowhere else.
 */
export function readRecording(text: string, leftOut: LeftOut = new Map()): ReadRecording {
  const value = parseJson(text);
  if (!isObject(value)) return { fault: "The recording is not JSON. It may have been cut off: record it again." };
  if (value.version !== version) {
    const newer = typeof value.version === "number" && value.version > version;
    return {
      fault: newer
        ? `The recording has version ${value.version}, and this program reads version ${version}. Update RPC Notebook.`
        : "The file is not a recording: it has no `version`.",
    };
  }
  const startedAt = typeof value.startedAt === "string" ? Date.parse(value.startedAt) : Number.NaN;
  const { endpoints, exchanges, streams } = value;
  if (!(startedAt >= 0 && startedAt < maxDate)) return { fault: "`startedAt` of the recording is not a time." };
  if (!isObject(endpoints)) return { fault: "`endpoints` of the recording is not an object." };
  if (!isArray(exchanges)) return { fault: "`exchanges` of the recording is not a list." };
  const read = exchanges.map((one) => exchangeFrom(one, leftOut));
  const bad = read.indexOf(undefined);
  if (bad >= 0) return { fault: `Exchange ${bad + 1} of the recording cannot be read.` };
  if (leftOut.size > 0) return { fault: "Compressed texts of the recording are not answers." };
  const readStreams = (isArray(streams) ? streams : []).map(streamFrom);
  const badStream = readStreams.indexOf(undefined);
  if (badStream >= 0) return { fault: `Stream ${badStream + 1} of the recording cannot be read.` };
  return {
    startedAt,
    tool: stringOf(value.tool) ?? "",
    endpoints: endpointsFrom(endpoints),
    exchanges: read.flatMap((one) => one ?? []),
    streams: readStreams.flatMap((one) => one ?? []),
    ...(typeof value.missed === "number" && { missed: value.missed }),
  };
}

/** Prints a recording with one member on each line, so that a diff shows what is new. */
export function printRecording(recording: Recording): string {
  return sealed(`${printJson(recordingJson(recording, true), 2)}\n`, recordingKind);
}

/** Whether a cell has an answer in it, or a stream. */
export function hasAnswers({ exchanges, streams }: Recording): boolean {
  return streams.length > 0 || exchanges.some(({ own, reply }) => !own && reply.kind === "answer");
}

export const recordingKind: SealedKind = {
  begins: /^\{\n {2}"version": \d+,\n/,
  seal: (hash) => `  "contentHash": "${hash}",\n`,
};

/** @param mayCompress - `false` if the file is compressed as a whole. */
export function recordingJson(
  { startedAt, tool, endpoints, exchanges, streams, missed = 0 }: Recording,
  mayCompress: boolean,
): JsonObject {
  return {
    version,
    startedAt: new Date(startedAt).toISOString(),
    tool,
    endpoints: Object.fromEntries(Object.entries(endpoints).map(([name, one]) => [name, { ...one }])),
    exchanges: exchanges.map((one) => exchangeJson(one, mayCompress)),
    ...(streams.length > 0 && { streams: streams.map(streamJson) }),
    ...(missed > 0 && { missed }),
  };
}

function exchangeJson(
  { endpoint, method, params, own, at, tookMs, reply }: RecordedExchange,
  mayCompress: boolean,
): JsonObject {
  const base = { endpoint, method, ...(params !== undefined && { params }), ...(own && { own }), at, tookMs };
  switch (reply.kind) {
    case "answer":
      return { ...base, answer: textJson(reply.body, mayCompress) };
    case "http":
      return { ...base, status: reply.status, headers: { ...reply.headers }, body: textJson(reply.body, mayCompress) };
    case "fault":
      return {
        ...base,
        fault: reply.reason,
        detail: reply.detail,
        ...(reply.status !== undefined && { status: reply.status }),
        ...(reply.sent === false && { sent: false }),
      };
  }
}

function exchangeFrom(value: JsonValue, leftOut: LeftOut): RecordedExchange | undefined {
  if (!isObject(value)) return undefined;
  const endpoint = stringOf(value.endpoint);
  const method = stringOf(value.method);
  const reply = replyFrom(value, leftOut);
  if (endpoint === undefined || method === undefined || !reply) return undefined;
  const { params } = value;
  return {
    endpoint,
    method,
    ...(params !== undefined && { params }),
    ...(value.own === true && { own: true as const }),
    at: millisecondsOf(value.at),
    tookMs: millisecondsOf(value.tookMs),
    reply,
  };
}

function replyFrom(value: JsonObject, leftOut: LeftOut): RecordedReply | undefined {
  const { status, fault } = value;
  const [answer, body] = [textFrom(value.answer, leftOut), textFrom(value.body, leftOut)];
  if (answer) return { kind: "answer", body: answer };
  if (isStatus(status) && body) return { kind: "http", status, headers: headersOf(value.headers), body };
  // A reason that this program does not know is shown as its detail.
  if (typeof fault === "string") {
    const reason = isFaultReason(fault) && fault !== "cancelled" ? fault : "reset";
    const facts = { ...(isStatus(status) && { status }), ...(value.sent === false && { sent: false as const }) };
    return { kind: "fault", reason, detail: stringOf(value.detail) ?? fault, ...facts };
  }
  return undefined;
}

/** Servers can give only these. */
function isStatus(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599;
}

/** Only the headers that are recorded, and only values that HTTP takes. */
function headersOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const isValid = ([name, text]: readonly [string, string]): boolean =>
    keptHeaders.has(name) && /^[\t\x20-\x7e]*$/.test(text);
  return Object.fromEntries(Object.entries(stringsOf(value)).filter(isValid));
}

const faultReasons: Readonly<Record<FaultReason, true>> = {
  cancelled: true,
  cors: true,
  dns: true,
  "large-headers": true,
  "no-socket": true,
  proxy: true,
  redirect: true,
  refused: true,
  reset: true,
  timeout: true,
  tls: true,
  "too-large": true,
  truncated: true,
  unsendable: true,
};

function isFaultReason(text: string): text is FaultReason {
  return Object.hasOwn(faultReasons, text);
}

function streamJson({ endpoint, params, subscription, events }: RecordedStream): JsonObject {
  return { endpoint, params, subscription, events: events.map(({ at, text }) => ({ at, text })) };
}

function streamFrom(value: JsonValue): RecordedStream | undefined {
  if (!isObject(value) || !isArray(value.events)) return undefined;
  const endpoint = stringOf(value.endpoint);
  const subscription = stringOf(value.subscription);
  if (endpoint === undefined || subscription === undefined || value.params === undefined) return undefined;
  const events = value.events.flatMap((event) =>
    isObject(event) && typeof event.text === "string" ? [{ at: millisecondsOf(event.at), text: event.text }] : [],
  );
  return { endpoint, params: value.params, subscription, events };
}

function endpointsFrom(value: JsonObject): Readonly<Record<string, RecordedEndpoint>> {
  const entries = Object.entries(value).map(([name, one]): [string, RecordedEndpoint] => {
    const { site, chainId, head, client } = isObject(one) ? stringsOf(one) : {};
    return [
      name,
      {
        site: site ?? "",
        ...(chainId !== undefined && { chainId }),
        ...(head !== undefined && { head }),
        ...(client !== undefined && { client }),
      },
    ];
  });
  return Object.fromEntries(entries);
}

function stringsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (typeof one === "string" ? [[key, one] as const] : [])),
  );
}

function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A duration that a file states; what is not one counts as none. */
function millisecondsOf(value: JsonValue | undefined): number {
  return typeof value === "number" && value >= 0 && value < 1e9 ? value : 0;
}
