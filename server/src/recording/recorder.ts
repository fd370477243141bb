import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, parseJson } from "../base/json.ts";
import type {
  Clock,
  ExchangeTiming,
  HttpResponse,
  Moment,
  SocketRequest,
  Sockets,
  Transport,
  TransportFault,
} from "../base/ports.ts";
import { shownSite } from "../endpoints/site.ts";
import { isOwnId, ownRequest } from "../rpc/wire.ts";
import { maxKept } from "./maxRecordingBytes.ts";
import { readText } from "./recordedText.ts";
import {
  keptHeaders,
  type RecordedEndpoint,
  type RecordedExchange,
  type RecordedReply,
  type RecordedStream,
  type Recording,
} from "./recording.ts";
import { requestsIn, responsesIn, type WrittenRequest } from "./wireMessages.ts";

/** Keeps what goes through the ports of a run. */
export interface Recorder {
  readonly transport: Transport;
  readonly sockets: Sockets | undefined;
  /** Returns what is kept until now, and sends nothing. @param tool - Name and version of the program. */
  recording(tool: string): Recording;
  /**
   * Asks each endpoint what is not known of it (chain, client, head) and returns the recording.
   *
   * @param tool - Name and version of the program.
   */
  finish(tool: string, signal: AbortSignal): Promise<Recording>;
  /** Names that several addresses had: their answers would be mixed. */
  ambiguous(): readonly string[];
}

/** Opens a recorder around the ports of a host. @param limits - Characters that it keeps. */
export function openRecorder(
  ports: {
    readonly transport: Transport;
    readonly sockets?: Sockets | undefined;
    readonly clock: Clock;
  },
  limits: Room = maxKept,
): Recorder {
  const { clock } = ports;
  const kept = openKept(clock, limits);
  const { start, exchanges, endpoints, keep, room } = kept;
  const streams: OpenStream[] = [];
  const transport: Transport = {
    async post(request, signal) {
      const sentAt = clock.now();
      const came = await ports.transport.post(request, signal);
      const timing = keep(request, sentAt, request.body, came);
      return timing ? { ...came, timing } : came; // the replay will show the same times
    },
  };
  const recording = (tool: string): Recording => {
    const facts = [...endpoints].map(([name, address]) => [name, factsOf(name, address, exchanges)] as const);
    const all = {
      startedAt: start.date,
      tool,
      endpoints: Object.fromEntries(facts),
      exchanges: [...exchanges],
      streams: streams.map(({ began: _began, ...stream }) => stream),
    };
    return room.missed > 0 ? { ...all, missed: room.missed } : all;
  };
  return {
    transport,
    recording,
    sockets: ports.sockets && recordedSockets(ports.sockets, { clock, keep, streams, room }),
    ambiguous: () => [...kept.mixed],
    async finish(tool, signal) {
      await Promise.all(
        [...endpoints].map(([name, address]) => askForFacts(name, address, exchanges, transport, signal)),
      );
      return recording(tool);
    },
  };
}

/** Keeps exchanges in their order. */
function openKept(clock: Clock, limits: Room) {
  const start: Moment = { date: clock.date(), now: clock.now() };
  const exchanges: RecordedExchange[] = [];
  /** The last request to each endpoint. */
  const endpoints = new Map<string, SocketRequest>();
  const mixed = new Set<string>();
  const room = openRoom(limits);
  const keep: SocketSupport["keep"] = (address, sentAt, body, came) => {
    const tookMs = Math.round(Math.max(0, clock.now() - sentAt) * 10) / 10;
    const at = since(start, sentAt);
    const endpoint = nameOf(address);
    const requests = requestsIn(body);
    if (!requests || isCancelled(came)) return undefined;
    const timing = { startedAt: start.date + at, durationMs: tookMs };
    if (came.kind === "response" && !room.take("answers", came.body.length)) return timing;
    const other = endpoints.get(endpoint);
    if (other && other.url !== address.url && isHttp(other.url) === isHttp(address.url)) mixed.add(endpoint);
    if (!other || isHttp(address.url)) endpoints.set(endpoint, address);
    const replies = repliesTo(requests, came);
    requests.forEach(({ id, method, params }, index) => {
      const reply = replies[index];
      if (!reply) return;
      const request = { method, ...(params !== undefined && { params }), ...(isOwnId(id) && { own: true as const }) };
      exchanges.push({ endpoint, ...request, at, tookMs, reply });
    });
    return timing;
  };
  return { start, exchanges, endpoints, mixed, room, keep };
}

/** Characters of messages of subscriptions and of answers. */
type Room = Readonly<Record<keyof typeof maxKept, number>>;

/** Counts what is kept. */
function openRoom(limits: Room) {
  const left: Record<keyof Room, number> = { ...limits };
  let missed = 0;
  return {
    /** @returns Whether a text of so many characters is kept. */
    take(kind: keyof Room, length: number): boolean {
      const fits = length <= left[kind];
      if (fits) left[kind] -= length;
      else missed++;
      return fits;
    },
    get missed() {
      return missed;
    },
  };
}

function isHttp(url: string): boolean {
  return /^https?:/i.test(url);
}

function nameOf({ endpoint, url }: SocketRequest): string {
  return endpoint ?? new URL(url).host;
}

/** Methods whose answers describe an endpoint. */
const factMethods = ["eth_chainId", "web3_clientVersion", "eth_blockNumber"] as const;
const factTimeoutMs = 5000;

async function askForFacts(
  name: string,
  { url, headers }: SocketRequest,
  exchanges: readonly RecordedExchange[],
  transport: Transport,
  signal: AbortSignal,
): Promise<void> {
  if (!isHttp(url)) return;
  const isThere = (method: string): boolean => exchanges.some((one) => one.endpoint === name && one.method === method);
  for (const method of factMethods.filter((one) => !isThere(one))) {
    const { text: body } = ownRequest(method, []);
    const limits = { timeoutMs: factTimeoutMs, maxBytes: 1_000_000 };
    await transport.post({ url, headers, body, ...limits, repeatable: true, endpoint: name }, signal);
  }
}

function factsOf(name: string, { url }: SocketRequest, exchanges: readonly RecordedExchange[]): RecordedEndpoint {
  const answerTo = (asked: string): string | undefined => {
    const one = exchanges.findLast(({ endpoint, method }) => endpoint === name && method === asked);
    const text = one?.reply.kind === "answer" ? readText(one.reply.body, 1_000_000) : undefined;
    const value = text === undefined ? undefined : parseJson(text);
    return isObject(value) && typeof value.result === "string" ? value.result : undefined;
  };
  const [chainId, client, head] = factMethods.map(answerTo);
  return {
    site: shownSite(url),
    ...(chainId !== undefined && { chainId }),
    ...(head !== undefined && { head }),
    ...(client !== undefined && { client }),
  };
}

/** Whole milliseconds since the recording began. */
function since(start: Moment, now: number): number {
  return Math.max(0, Math.round(now - start.now));
}

/** A cancelled exchange says nothing about the endpoint. */
function isCancelled(came: HttpResponse | TransportFault): boolean {
  return came.kind === "fault" && came.reason === "cancelled";
}

/** Returns the reply to each request of a message. */
function repliesTo(
  requests: readonly WrittenRequest[],
  came: HttpResponse | TransportFault,
): readonly (RecordedReply | undefined)[] {
  if (came.kind === "fault") {
    const { reason, detail, status, sent } = came;
    const facts = { ...(status !== undefined && { status }), ...(sent === false && { sent: false as const }) };
    return requests.map(() => ({ kind: "fault", reason, detail, ...facts }));
  }
  const responses = responsesIn(came.body);
  const headers = Object.fromEntries(Object.entries(came.headers).filter(([name]) => keptHeaders.has(name)));
  const whole: RecordedReply = { kind: "http", status: came.status, headers, body: { text: came.body } };
  const isFine = came.status >= 200 && came.status < 300;
  return requests.map(({ id }) => {
    const response = responses.find((one) => one.id === id) ?? (requests.length === 1 ? responses[0] : undefined);
    return response && isFine ? { kind: "answer", body: { text: response.text } } : whole;
  });
}

interface OpenStream extends RecordedStream {
  readonly began: number;
  readonly events: { readonly at: number; readonly text: string }[];
}

interface SocketSupport {
  readonly clock: Clock;
  readonly streams: OpenStream[];
  readonly room: ReturnType<typeof openRoom>;
  /** Keeps the exchanges of a message; `undefined` if it has none. */
  keep(
    address: SocketRequest,
    sentAt: number,
    body: string,
    came: HttpResponse | TransportFault,
  ): ExchangeTiming | undefined;
}

/** Records requests and subscriptions on WebSockets. */
function recordedSockets(sockets: Sockets, support: SocketSupport): Sockets {
  return {
    async open(request, events, signal) {
      const messages = new SocketMessages(request, support);
      const socket = await sockets.open(
        request,
        {
          message(text, bytes) {
            messages.received(text, bytes);
            events.message(text, bytes);
          },
          closed: events.closed,
        },
        signal,
      );
      if (socket.kind === "fault") return socket;
      return {
        kind: "open",
        send(text) {
          messages.sent(text);
          socket.send(text);
        },
        close: socket.close,
      };
    },
  };
}

/** The messages of one socket: matches answers to requests, and notifications to subscriptions. */
class SocketMessages {
  readonly #address: SocketRequest;
  readonly #support: SocketSupport;
  readonly #waiting: {
    readonly sentAt: number;
    readonly body: string;
    readonly requests: readonly WrittenRequest[];
  }[] = [];
  readonly #open = new Map<string, OpenStream>();

  constructor(address: SocketRequest, support: SocketSupport) {
    this.#address = address;
    this.#support = support;
  }

  sent(body: string): void {
    const requests = requestsIn(body);
    if (requests) this.#waiting.push({ sentAt: this.#support.clock.now(), body, requests });
  }
  received(text: string, bytes: number): void {
    const { clock, keep, room } = this.#support;
    const subscription = subscriptionOf(parseJson(text));
    const stream = subscription === undefined ? undefined : this.#open.get(subscription);
    if (stream) {
      if (room.take("messages", text.length)) stream.events.push({ at: Math.round(clock.now() - stream.began), text });
      return;
    }
    const ids = new Set(responsesIn(text).map(({ id }) => id));
    const at = this.#waiting.findIndex(({ requests }) => requests.some(({ id }) => ids.has(id)));
    const [message] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (!message) return;
    const { sentAt, body, requests } = message;
    keep(this.#address, sentAt, body, { kind: "response", status: 200, headers: {}, body: text, bytes });
    for (const request of requests) if (request.method === "eth_subscribe") this.#begin(request, text);
  }

  #begin({ params }: WrittenRequest, answer: string): void {
    const value = parseJson(answer);
    const subscription = isObject(value) && typeof value.result === "string" ? value.result : undefined;
    if (subscription === undefined) return;
    const { clock, streams } = this.#support;
    const endpoint = nameOf(this.#address);
    const stream: OpenStream = { endpoint, params: params ?? [], subscription, began: clock.now(), events: [] };
    this.#open.set(subscription, stream);
    streams.push(stream);
  }
}

/** The subscription that a notification is for. */
function subscriptionOf(value: JsonValue | undefined): string | undefined {
  if (!isObject(value) || isArray(value.params) || !isObject(value.params)) return undefined;
  const { subscription } = value.params;
  return typeof subscription === "string" ? subscription : undefined;
}
