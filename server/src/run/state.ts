import { quantity, toQuantity } from "../base/hex.ts";
import { isObject, type JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { formatDuration, grouped } from "../base/units.ts";
import { methodNamed } from "../catalog/catalog.ts";
import type { Endpoint } from "../endpoints/resolve.ts";
import type { WireRequest } from "../evaluate/wire.ts";
import type { Cell } from "../notebook/cell.ts";
import { blockAsked } from "../report/facts.ts";
import type { Fact, Report } from "../report/report.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { EndpointMemory } from "../rpc/send.ts";
import type { Courier } from "./courier.ts";
import { withinOf } from "./poll.ts";

/** Which state answered a request that asked by a tag. */
export interface AnswerState {
  /** As it was asked: `pending`, `latest - 100 to latest`. */
  readonly asked: string;
  /** Number of the block that was `latest` then. */
  readonly head: bigint;
  /** Milliseconds since that block's time. */
  readonly ageMs: number;
  /** Number of the latest block when a slow answer had come, where that was another one by then. */
  readonly after: bigint | undefined;
  /** `pending`, where that was measured to be ahead, or the endpoint is said to be so. */
  readonly preconfirmed: boolean;
}

export interface States {
  /**
   * As the courier does; the head travels along, once in a run and to each endpoint. Behind answers that come long after
   * it, it is asked for once more.
   */
  carry: Courier["carry"];
  /** `undefined` where no tag was asked for, or the head did not come in time. */
  of(cell: Cell, request: Pick<WireRequest, "method" | "params">): AnswerState | undefined;
}

export interface StateHost {
  readonly clock: Clock;
  readonly courier: Pick<Courier, "carry">;
  /** The head travels by itself: the run has one request, or as many as fill a batch. */
  readonly apart: boolean;
  endpointOf(cell: Cell): Endpoint | undefined;
  memoryOf(endpoint: Endpoint): EndpointMemory;
}

/** Requests a second, below which none is spent on the head. */
const leastRate = 10;
/** Milliseconds for which an answer is held back at most, when it came before the head. */
const patienceMs = 250;
/** Milliseconds after which the head may be another one. */
const longMs = 1000;
/** Beyond the ids of cells, so that it may share a batch with them. */
const headId = 1_500_000_000;

export function openStates(host: StateHost, signal: AbortSignal): States {
  const heads = new Map<Endpoint, Head>();
  /** Those under way, and what they found for each cell. */
  const later = new Map<Endpoint, Head>();
  const afterwards = new Map<Cell, Head>();
  const headFor = (cell: Cell, requests: readonly WireRequest[]): Head | undefined => {
    if (withinOf(cell)) return undefined; // it is asked again, at one head after the other
    if (!requests.some(({ method, params }) => tagAsked({ method, params }) !== undefined)) return undefined;
    const endpoint = host.endpointOf(cell);
    if (!endpoint || (endpoint.rate ?? leastRate) < leastRate) return undefined;
    const known = heads.get(endpoint) ?? readHead(cell, host);
    heads.set(endpoint, known);
    return known;
  };
  /** What moved meanwhile is only known where the head is read again. */
  const lookAgain = async (cell: Cell, head: Head): Promise<void> => {
    const endpoint = host.endpointOf(cell);
    if (!endpoint || !head.found || signal.aborted || host.clock.now() - head.found.readAt < longMs) return;
    const under = later.get(endpoint);
    const again = under && !under.ended ? under : readHead(cell, host);
    later.set(endpoint, again);
    afterwards.set(cell, again);
    await inTime(again, host.clock, signal);
  };
  return {
    async carry(cell, requests) {
      const head = headFor(cell, requests);
      if (!head) return host.courier.carry(cell, requests);
      if (host.apart && !head.ended) await Promise.resolve().then(() => undefined); // the head has left by itself
      const outcomes = await host.courier.carry(cell, requests);
      if (!head.ended) await inTime(head, host.clock, signal);
      await lookAgain(cell, head);
      return outcomes;
    },
    of(cell, request) {
      const asked = tagAsked(request);
      const endpoint = asked === undefined ? undefined : host.endpointOf(cell);
      const found = endpoint && heads.get(endpoint)?.found;
      if (asked === undefined || !endpoint || !found) return undefined;
      const { number, timestamp, readAt } = found;
      const ageMs = Math.max(0, readAt - Number(timestamp) * 1000);
      const preconfirmed = asked.includes("pending") && isAhead(endpoint, host.memoryOf(endpoint), request.method);
      const now = afterwards.get(cell)?.found?.number;
      return { asked, head: number, ageMs, preconfirmed, after: now !== number ? now : undefined };
    },
  };
}

/** The newest block, as it is asked for and when it has come. */
interface Head {
  readonly read: Promise<void>;
  ended: boolean;
  found: { readonly number: bigint; readonly timestamp: bigint; readonly readAt: number } | undefined;
}

function readHead(cell: Cell, { clock, courier }: StateHost): Head {
  const method = "eth_getBlockByNumber";
  const params = ["latest", false];
  const text = `{"jsonrpc":"2.0","id":${headId},"method":"${method}","params":["latest",false]}`;
  const request: WireRequest = { text, id: headId, method, params, returns: undefined };
  const head: Head = {
    ended: false,
    found: undefined,
    read: courier.carry(cell, [request]).then(([outcome]) => {
      head.ended = true;
      head.found = headIn(outcome, clock.now());
    }),
  };
  return head;
}

function headIn(outcome: Outcome | undefined, readAt: number): Head["found"] {
  const block = outcome?.kind === "answered" ? outcome.result.value : undefined;
  if (!isObject(block)) return undefined;
  const [number, timestamp] = [shortQuantity(block.number), shortQuantity(block.timestamp)];
  return number === undefined || timestamp === undefined ? undefined : { number, timestamp, readAt };
}

function shortQuantity(value: unknown): bigint | undefined {
  return typeof value === "string" && value.length <= 18 ? quantity(value) : undefined;
}

async function inTime({ read }: Head, clock: Clock, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const abort = (): void => over.abort();
  signal.addEventListener("abort", abort, { once: true });
  await Promise.race([read, clock.sleep(patienceMs, over.signal)]);
  signal.removeEventListener("abort", abort);
  abort();
}

/** The blocks that a request asks about, where their place moves. */
function tagAsked({ method, params }: Pick<WireRequest, "method" | "params">): string | undefined {
  const asked = blockAsked(methodNamed(method), params ?? []);
  return asked !== undefined && /\b(?:pending|latest|safe|finalized)\b/.test(asked) ? asked : undefined;
}

function isAhead({ preconfirmed }: Endpoint, { probed }: EndpointMemory, method: string): boolean {
  return probed ? probed.ahead.includes(method) : preconfirmed === true;
}

/** A report with the state that answered, behind the block that was asked for. */
export function withState(report: Report, state: AnswerState | undefined): Report {
  if (!state) return report;
  const { head, ageMs, preconfirmed, after } = state;
  const moved = after === undefined ? "" : `, ${grouped(after)} when the answer had come`;
  const added: readonly Fact[] = [
    ...(preconfirmed ? [{ name: "state", value: "pre-confirmed" }] : []),
    { name: "head", value: `${grouped(head)}, ${formatDuration(ageMs)} old${moved}` },
  ];
  const at = report.facts.findIndex(({ name }) => name === "block" || name === "blocks") + 1;
  return { ...report, facts: [...report.facts.slice(0, at), ...added, ...report.facts.slice(at)] };
}

/** The same for machines. */
export function stateJson(state: AnswerState | undefined): { readonly state?: JsonValue } {
  if (!state) return {};
  const { asked, head, ageMs, preconfirmed, after } = state;
  const moved = after === undefined ? {} : { after: toQuantity(after) };
  return { state: { asked, head: toQuantity(head), ageMs, preconfirmed, ...moved } };
}
