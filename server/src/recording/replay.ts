import { isObject, parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { HttpResponse, TransportFault } from "../base/ports.ts";
import { type Matcher, type Matching, openMatcher } from "./match.ts";
import { nearestExchange } from "./nearestExchange.ts";
import { readText } from "./recordedText.ts";
import type { RecordedExchange, RecordedStream, Recording } from "./recording.ts";
import { requestsIn, responsesIn, type WrittenRequest, withId } from "./wireMessages.ts";

/** JSON-RPC code of the answer to a request that was not recorded; of the range that servers may define. */
export const notRecordedCode = -32_099;

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
    const requests = requestsIn(body);
    if (!requests) return parseJson(body) === undefined ? notJson : notARequest;
    const source = this.#sourceOf(endpoint);
    const found = requests.map((request) => source.matcher.next(masked(request, mask)));
    const replies = function* (this: Replay): Generator<Reply> {
      for (const [at, request] of requests.entries()) {
        const exchange = found[at];
        if (request.id === undefined) continue; // nothing answers a notification
        yield exchange ? replyOf(exchange, request, maxBytes) : this.#refusal(masked(request, mask), source);
      }
    };
    const reply = combined(replies.call(this), body.trimStart().startsWith("["), maxBytes);
    const first = found.find((one) => one !== undefined);
    const timing = first && { startedAt: this.recording.startedAt + first.at, durationMs: first.tookMs };
    return timing ? { ...reply, timing } : reply;
  }
  /** Returns for each request of a message whether it was recorded; `undefined` if the message is not JSON-RPC. */
  hasEach(body: string, endpoint: string | undefined, mask: AnswerOptions["mask"]): readonly boolean[] | undefined {
    const { matcher } = this.#sourceOf(endpoint);
    return requestsIn(body)?.map((request) => matcher.has(masked(request, mask)));
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
    const { endpoints, exchanges, streams } = this.recording;
    const isNamed = endpoint !== undefined && Object.hasOwn(endpoints, endpoint);
    // Answers of several endpoints are never mixed: they can be of several chains.
    const name = isNamed || Object.keys(endpoints).length > 1 ? endpoint : undefined;
    const last = this.#sources.get(name);
    if (last) return last;
    const belongs = (one: { readonly endpoint: string }): boolean =>
      name === undefined ? Object.keys(endpoints).length < 2 : one.endpoint === name;
    const own = exchanges.filter(belongs);
    const matcher = openMatcher(own, this.#options.matching ?? "lenient");
    const source = { exchanges: own, matcher, streams: streams.filter(belongs) };
    this.#sources.set(name, source);
    return source;
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

/** What one endpoint was recorded to answer. */
interface Source {
  readonly exchanges: readonly RecordedExchange[];
  readonly matcher: Matcher;
  readonly streams: readonly RecordedStream[];
}

type Reply = { readonly kind: "text"; readonly text: string } | HttpResponse | TransportFault;

function replyOf({ reply }: RecordedExchange, { id }: WrittenRequest, maxBytes: number): Reply {
  if (reply.kind === "fault") return reply;
  const text = readText(reply.body, maxBytes);
  if (text === undefined)
    return { kind: "fault", reason: "too-large", detail: "the recorded answer is damaged or too large" };
  if (reply.kind === "http") return responseOf(text, reply.status, reply.headers);
  try {
    return { kind: "text", text: id === undefined ? text : withId(text, id) };
  } catch {
    return { kind: "fault", reason: "truncated", detail: "the recorded answer is damaged" }; // it is not JSON
  }
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
    if (length > maxBytes) return { kind: "fault", reason: "too-large", detail: "the recorded answers are too large" };
    texts.push(reply.text);
  }
  return responseOf(isBatch && texts.length > 0 ? `[${texts.join(",")}]` : texts.join(""));
}

function responseOf(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { kind: "response", status, headers, body, bytes: new TextEncoder().encode(body).length };
}

const notJson = responseOf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Not JSON."}}`);
const notARequest = responseOf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Not a request."}}`);
