import { printJson } from "../base/json.ts";
import type { HttpResponse, TransportFault } from "../base/ports.ts";
import { type Matcher, type Matching, openMatcher } from "./match.ts";
import { nearestExchange } from "./nearestExchange.ts";
import { readText } from "./recordedText.ts";
import type { RecordedExchange, RecordedStream, Recording } from "./recording.ts";
import { looseKey, requestKey } from "./requestKey.ts";
import { requestsIn, type WrittenRequest, withId } from "./wireMessages.ts";

/** JSON-RPC code of the answer to a request that was not recorded; of the range that servers may define. */
export const notRecordedCode = -32_099;

export interface ReplayOptions {
  /** `lenient` by default. */
  readonly matching?: Matching;
  /** Called for each request that was not recorded, with what a person has to know. */
  readonly notRecorded?: (method: string, message: string) => void;
}

/** Answers requests from a recording. Equal requests get their answers in the order of the recording. */
export class Replay {
  readonly recording: Recording;
  readonly #options: ReplayOptions;
  /** By the endpoint's name in the recording; those of all endpoints for any other name. */
  readonly #sources = new Map<string | undefined, Source>();

  constructor(recording: Recording, options: ReplayOptions = {}) {
    this.recording = recording;
    this.#options = options;
  }

  /**
   * Answers a message.
   *
   * @param endpoint - The name of the endpoint that would have answered.
   * @returns `undefined` if something in it was not recorded and `mayRefuse` is not set.
   */
  answer(
    body: string,
    endpoint: string | undefined,
    { maxBytes, mayRefuse }: { readonly maxBytes: number; readonly mayRefuse: boolean },
  ): HttpResponse | TransportFault | undefined {
    const requests = requestsIn(body);
    if (!requests) return responseOf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Not a request."}}`);
    const source = this.#sourceOf(endpoint);
    const found = requests.map((request) => source.matcher.next(request));
    if (!mayRefuse && found.includes(undefined)) return undefined;
    const replies = function* (this: Replay): Generator<Reply> {
      for (const [at, request] of requests.entries()) {
        const exchange = found[at];
        yield exchange ? replyOf(exchange, request, maxBytes) : this.#refusal(request, source);
      }
    };
    const reply = combined(replies.call(this), body.trimStart().startsWith("["), maxBytes);
    const first = found.find((one) => one !== undefined);
    const timing = first && { startedAt: this.recording.startedAt + first.at, durationMs: first.tookMs };
    return timing ? { ...reply, timing } : reply;
  }
  /** Returns what the subscriptions that a message asks for deliver. */
  streamsFor(body: string, endpoint: string | undefined): readonly RecordedStream[] {
    const { streams } = this.#sourceOf(endpoint);
    return (requestsIn(body) ?? []).flatMap(({ method, params }) => {
      if (method !== "eth_subscribe") return [];
      const streamOf = (keyOf: typeof requestKey): RecordedStream | undefined => {
        const key = keyOf(method, params);
        return streams.find((stream) => keyOf(method, stream.params) === key);
      };
      return streamOf(requestKey) ?? (this.#options.matching === "strict" ? undefined : streamOf(looseKey)) ?? [];
    });
  }

  #sourceOf(endpoint: string | undefined): Source {
    const name = endpoint !== undefined && Object.hasOwn(this.recording.endpoints, endpoint) ? endpoint : undefined;
    const last = this.#sources.get(name);
    if (last) return last;
    const isMeant = (one: { readonly endpoint: string }): boolean => name === undefined || one.endpoint === name;
    const exchanges = this.recording.exchanges.filter(isMeant);
    const matcher = openMatcher(exchanges, this.#options.matching ?? "lenient");
    const source = { exchanges, matcher, streams: this.recording.streams.filter(isMeant) };
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

/** What one endpoint was recorded to answer. */
interface Source {
  readonly exchanges: readonly RecordedExchange[];
  readonly matcher: Matcher;
  readonly streams: readonly RecordedStream[];
}

type Reply = { readonly kind: "text"; readonly text: string } | HttpResponse | TransportFault;

function replyOf({ reply }: RecordedExchange, { id }: WrittenRequest, maxBytes: number): Reply {
  if (reply.kind === "fault") return { kind: "fault", reason: reply.reason, detail: reply.detail };
  const text = readText(reply.body, maxBytes);
  if (text === undefined)
    return { kind: "fault", reason: "too-large", detail: "the recorded answer is damaged or too large" };
  if (reply.kind === "http") return responseOf(text, reply.status, reply.headers);
  return { kind: "text", text: id === undefined ? text : withId(text, id) };
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
  return responseOf(isBatch ? `[${texts.join(",")}]` : texts.join(""));
}

function responseOf(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { kind: "response", status, headers, body, bytes: new TextEncoder().encode(body).length };
}
