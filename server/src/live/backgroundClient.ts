import { type JsonValue, printJson } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import type { Clock, Transport } from "../base/ports.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { type Cadence, cadenceOf } from "../rpc/cadence.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { type EndpointMemory, send, type Target } from "../rpc/send.ts";
import type { RawRequest } from "../rpc/wire.ts";

/** A request that reads or simulates; nothing else is asked in the background. */
export interface Question {
  readonly method: string;
  readonly params: readonly JsonValue[];
}

/** Asks one endpoint in the background: quickly or not at all, and without troubling a person. */
export interface BackgroundClient {
  readonly endpoint: Endpoint;
  /** How new state reaches it, as it is known now. */
  readonly cadence: () => Cadence;
  /** What is known of it, for those who find out more. */
  readonly memory: EndpointMemory;
  /** Where it takes subscriptions; `undefined` where nobody says that it does, or requests may not go there. */
  readonly socket: Target | undefined;
  /** Address of a block explorer for its chain. */
  readonly explorer: string | undefined;
  readonly chainId: bigint | undefined;
  /**
   * All in one body, where the endpoint takes batches. One outcome a question. Never rejects. The same list of questions
   * is written once, however often it is asked.
   */
  ask(questions: readonly Question[], signal: AbortSignal): Promise<readonly Outcome[]>;
}

/** Why nothing is asked in the background. */
export type BackgroundFailure = {
  readonly silent: "untrusted" | "no-endpoint" | "not-approved";
};

export interface BackgroundClientHost {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly memory: EndpointMemory;
}

/** Milliseconds that a person looks at a hover without an answer; an endpoint that needs longer is said to be slow. */
const patienceMs = 4000;
/** Bytes of one answer; code of the largest contract is 48 kB in hex. */
const mostBytes = 10_000_000;

/** What of an endpoint its own description does not say. */
export interface BackgroundFacts {
  readonly socket?: Target | undefined;
  readonly explorer?: string | undefined;
}

export function openBackgroundClient(
  endpoint: Endpoint,
  { socket, explorer }: BackgroundFacts,
  { transport, clock, memory }: BackgroundClientHost,
): BackgroundClient {
  const { batch, rate } = endpoint;
  const requestsFor = memoByObject((questions: readonly Question[]) => questions.map(requestOf));
  const options = {
    timeoutMs: patienceMs,
    maxBytes: mostBytes,
    idempotent: true,
    ...(batch !== undefined && { batch }),
    ...(rate !== undefined && { rate }),
    retry: { attempts: 1, baseMs: 0, maxWaitMs: 0 },
    clock,
    memory,
  };
  return {
    endpoint,
    memory,
    cadence: () =>
      cadenceOf({ ...endpoint, chainId: endpoint.chainId ?? memory.probed?.chainId }, memory, clock.date()),
    socket,
    explorer,
    get chainId() {
      return endpoint.chainId ?? memory.probed?.chainId; // a probe may come later
    },
    async ask(questions, signal) {
      const requests = requestsFor(questions);
      const outcomes = await send(transport, endpoint, requests, options, signal);
      const isStale = outcomes.length > 0 && outcomes.every(neverConnected) && !signal.aborted;
      return isStale ? send(transport, endpoint, requests, options, signal) : outcomes;
    },
  };
}

/** A connection was kept that the endpoint had given up by then: it is no answer of the endpoint. */
function neverConnected(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" && outcome.reason === "reset" && outcome.exchange.status === undefined;
}

function requestOf({ method, params }: Question, index: number): RawRequest {
  const id = index + 1;
  return { text: printJson({ jsonrpc: "2.0", id, method, params }), id, method };
}
