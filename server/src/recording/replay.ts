import { isObject, parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { HttpResponse, TransportFault } from "../base/ports.ts";
import { type Matcher, type Matching, nearestExchange, openMatcher, type Recorded, type Sequence } from "./match.ts";
import { readText, utf8Length } from "./recordedText.ts";
import type { RecordedExchange, RecordedStream, Recording } from "./recording.ts";
import { aroundId, requestIn, requestsIn, responsesIn, splitRequest, type WrittenRequest } from "./wireMessages.ts";

/** JSON-RPC code of the answer to a request that was not recorded; of the range that servers may define. */
const notRecordedCode = -32_099;

export interface ReplayOptions {
  /** `lenient` by default. */
  readonly matching?: Matching;
  /** Called for each request that was not recorded, with what a person has to know. */
  readonly notRecorded?: (method: string, message: string) => void;
}

interface AnswerOptions {
  readonly maxBytes: number;
  /** Hides in requests what it hid when they were recorded. */
  readonly mask?: Mask;
}

/** Answers requests from a recording. Equal requests get their answers in the order of the recording. */
export class Replay {
  readonly recording: Recording;
  readonly #options: ReplayOptions;
  /** By the endpoint's name. */
  readonly #sources = new Map<string | undefined, Source>();

  constructor(recording: Recording, options: ReplayOptions = {}) {
    this.recording = recording;
    this.#options = options;
  }

  /**
   * Answers a message.
   *
   * @param endpoint - The name of the endpoint that would have answered.
   */
  answer(body: string, endpoint: string | undefined, { maxBytes, mask }: AnswerOptions): HttpResponse | TransportFault {
    const source = this.#sourceOf(endpoint);
    const known = mask && !mask.isEmpty ? undefined : knownRequest(body, source);
    const next = known?.sequence.next();
    if (known && next) return this.#timed(alone(replyOf(next, known.id, maxBytes), maxBytes), next);
    const requests = requestsIn(body);
    if (!requests) return parseJson(body) === undefined ? notJson : notARequest;
    const found = requests.map((request) => source.matcher(masked(request, mask))?.next());
    const replies = function* (this: Replay): Generator<Reply> {
      for (const [at, request] of requests.entries()) {
        const recorded = found[at];
        if (request.id === undefined) continue; // nothing answers a notification
        yield recorded ? replyOf(recorded, request.id, maxBytes) : this.#refusal(masked(request, mask), source);
      }
    };
    const reply = combined(replies.call(this), body.trimStart().startsWith("["), maxBytes);
    const first = found.find((one) => one !== undefined);
    return first ? this.#timed(reply, first) : reply;
  }
  /** Returns for each request of a message whether it was recorded; `undefined` if the message is not JSON-RPC. */
  hasEach(body: string, endpoint: string | undefined, mask: AnswerOptions["mask"]): readonly boolean[] | undefined {
    const { matcher } = this.#sourceOf(endpoint);
    return requestsIn(body)?.map((request) => matcher(masked(request, mask))?.hasNext ?? false);
  }
  /** Returns what the subscriptions deliver that an answer begins. */
  streamsFor(answer: string, endpoint: string | undefined): readonly RecordedStream[] {
    const { streams } = this.#sourceOf(endpoint);
    return responsesIn(answer).flatMap(({ text }) => {
      const value = parseJson(text);
      const id = isObject(value) ? value.result : undefined;
      return streams.find(({ subscription }) => subscription === id) ?? [];
    });
  }

  #sourceOf(endpoint: string | undefined): Source {
    const known = this.#sources.get(endpoint);
    if (known) return known;
    const { endpoints } = this.recording;
    const isNamed = endpoint !== undefined && Object.hasOwn(endpoints, endpoint);
    // Answers of several endpoints are never mixed: they can be of several chains.
    const name = isNamed || Object.keys(endpoints).length > 1 ? endpoint : undefined;
    const source = this.#sources.get(name) ?? this.#open(name);
    this.#sources.set(name, source).set(endpoint, source);
    return source;
  }
  #open(name: string | undefined): Source {
    const { endpoints, exchanges, streams } = this.recording;
    const belongs = (one: { readonly endpoint: string }): boolean =>
      name === undefined ? Object.keys(endpoints).length < 2 : one.endpoint === name;
    const own = exchanges.filter(belongs);
    const matcher = openMatcher(own, this.#options.matching ?? "lenient");
    return { exchanges: own, matcher, streams: streams.filter(belongs), known: new Map() };
  }
  #timed(answer: HttpResponse | TransportFault, { exchange: { at, tookMs } }: Recorded): HttpResponse | TransportFault {
    return { ...answer, timing: { startedAt: this.recording.startedAt + at, durationMs: tookMs } };
  }
  #refusal(request: WrittenRequest, { exchanges }: Source): Reply {
    const message = nearestExchange(request, exchanges);
    this.#options.notRecorded?.(request.method, message);
    const error = printJson({ code: notRecordedCode, message });
    return { kind: "text", text: `{"jsonrpc":"2.0","id":${request.id ?? "null"},"error":${error}}` };
  }
}

function masked(request: WrittenRequest, mask: Mask | undefined): WrittenRequest {
  return mask && !mask.isEmpty ? { ...request, params: mask.value(request.params) } : request;
}

/** The recorded answers of one endpoint. */
interface Source {
  readonly exchanges: readonly RecordedExchange[];
  readonly matcher: Matcher;
  readonly streams: readonly RecordedStream[];
  /** By the texts of recent requests, without their ids. */
  readonly known: Map<string, Sequence>;
}

/** Texts of requests that are kept, and characters of the longest. */
const maxKnown = 10_000;
const maxKnownLength = 2000;

/** Finds what answers a request. One that was asked before with another id is not parsed again. */
function knownRequest(
  body: string,
  { known, matcher }: Source,
): { readonly id: string; readonly sequence: Sequence } | undefined {
  const split = body.length > maxKnownLength ? undefined : splitRequest(body);
  if (!split) return undefined;
  const { id, rest } = split;
  const last = known.get(rest);
  if (last) return { id, sequence: last };
  const request = requestIn(rest);
  const sequence = request && matcher(request);
  if (!sequence) return undefined;
  if (known.size >= maxKnown) known.clear();
  known.set(rest, sequence);
  return { id, sequence };
}

type Reply = { readonly kind: "text"; readonly text: string } | HttpResponse | TransportFault;

function replyOf(recorded: Recorded, id: string, maxBytes: number): Reply {
  const { around, exchange } = recorded;
  if (around) return { kind: "text", text: around.before + id + around.after };
  const { reply } = exchange;
  if (reply.kind === "fault") return reply;
  const text = readText(reply.body, maxBytes);
  if (text === undefined)
    return { kind: "fault", reason: "too-large", detail: "the recorded answer is damaged or too large" };
  if (reply.kind === "http") return responseOf(text, reply.status, reply.headers);
  try {
    const { before, after } = aroundId(text);
    if (!("deflate" in reply.body)) recorded.around = { before, after }; // what is compressed is too long to keep
    return { kind: "text", text: before + id + after };
  } catch {
    return { kind: "fault", reason: "truncated", detail: "the recorded answer is damaged" }; // it is not JSON
  }
}

/** The message for the only reply to a message. */
function alone(reply: Reply, maxBytes: number): HttpResponse | TransportFault {
  if (reply.kind !== "text") return reply;
  return reply.text.length > maxBytes ? tooLarge : responseOf(reply.text);
}

/**
 * One message for the replies to a message. A refusal of the whole message wins over answers to its parts.
 *
 * @param replies - Read until there are more than `maxBytes`: a small batch can ask for a large answer many times.
 */
function combined(replies: Iterable<Reply>, isBatch: boolean, maxBytes: number): HttpResponse | TransportFault {
  const texts: string[] = [];
  let length = 0;
  for (const reply of replies) {
    if (reply.kind !== "text") return reply;
    length += reply.text.length;
    if (length > maxBytes) return tooLarge;
    texts.push(reply.text);
  }
  return responseOf(isBatch && texts.length > 0 ? `[${texts.join(",")}]` : texts.join(""));
}

const tooLarge: TransportFault = { kind: "fault", reason: "too-large", detail: "the recorded answers are too large" };

function responseOf(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { kind: "response", status, headers, body, bytes: utf8Length(body) };
}

const notJson = responseOf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Not JSON."}}`);
const notARequest = responseOf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Not a request."}}`);
