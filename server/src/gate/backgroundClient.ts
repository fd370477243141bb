import { type JsonValue, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { memoByObject } from "../base/memo.ts";
import type { Clock } from "../base/ports.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { type Cadence, cadenceOf } from "../rpc/cadence.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { EndpointMemory } from "../rpc/send.ts";
import type { Subscription } from "../rpc/subscription.ts";
import type { RawRequest } from "../rpc/wire.ts";
import { ownRequest } from "../rpc/wire.ts";
import type { Permit } from "./approvals.ts";
import type { Gate } from "./gate.ts";

/** A request that reads or simulates. Nothing else is sent in the background. */
export interface Question {
  readonly method: string;
  readonly params: readonly JsonValue[];
}

export interface QuestionClient {
  /**
   * Sends all questions in one body, if the endpoint accepts batches. Returns one outcome for each. Never rejects. The
   * same list of questions is serialized only once.
   */
  ask(questions: readonly Question[], signal: AbortSignal): Promise<readonly Outcome[]>;
}

/** Asks one endpoint. */
export interface EndpointClient extends QuestionClient {
  readonly endpoint: Endpoint;
  /** Known facts about the endpoint. Measurements add to them. */
  readonly memory: EndpointMemory;
}

/** Sends requests to one endpoint in the background: without retries, and without asking a person. */
export interface BackgroundClient extends EndpointClient {
  /** Returns how new state reaches it, as far as it is known now. */
  readonly cadence: () => Cadence;
  /** Subscribes, with these parameters; `undefined` if it accepts no subscriptions, or requests may not go there. */
  readonly subscribe: ((params: readonly JsonValue[], signal: AbortSignal) => Subscription) | undefined;
  /** Address of a block explorer for its chain. */
  readonly explorer: string | undefined;
  readonly chainId: bigint | undefined;
  /** Hides values of the host. */
  readonly mask: Mask;
}

/** The clients of a probe. */
export interface ProbeClients {
  readonly asker: BackgroundClient;
  /** At the endpoint's WebSocket, one request for each message; `undefined` if requests may not go there. */
  readonly socket: BackgroundClient | undefined;
}

/** The reason why nothing is sent in the background. */
export type BackgroundFailure = {
  readonly silent: "untrusted" | "no-endpoint" | "not-approved";
};

export interface BackgroundClientHost {
  readonly mask: Mask;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly memory: EndpointMemory;
}

/** Milliseconds for one exchange: a person waits for the answer. */
const timeoutMs = 4000;
/** Bytes of one answer. The code of the largest contract is 48 kB in hex. */
const maxBytes = 10_000_000;
/** Bytes of one notification: a block with its transactions. */
const maxNotificationBytes = 20_000_000;

/** Facts about an endpoint beside its definition. */
export interface BackgroundFacts {
  /** The permission for its WebSocket, if subscriptions go there. */
  readonly socket?: Permit | undefined;
  readonly explorer?: string | undefined;
}

export function openBackgroundClient(
  permit: Permit,
  { socket, explorer }: BackgroundFacts,
  { gate, clock, memory, mask }: BackgroundClientHost,
): BackgroundClient {
  const { endpoint } = permit.resolved;
  const { batch, rate } = endpoint;
  const requestsFor = memoByObject((questions: readonly Question[]) => questions.map(requestOf));
  const options = {
    timeoutMs,
    maxBytes,
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
    mask,
    cadence: () => cadenceOf(endpoint, memory, clock.date()),
    subscribe:
      socket &&
      ((params, signal) => {
        const bounds = { timeoutMs, maxBytes: maxNotificationBytes, clock };
        return gate.subscribe(socket, ownRequest("eth_subscribe", params), bounds, signal);
      }),
    explorer,
    get chainId() {
      return endpoint.chainId ?? memory.probed?.chainId; // a probe may measure it later
    },
    async ask(questions, signal) {
      const requests = requestsFor(questions);
      const outcomes = await gate.send(permit, requests, options, signal);
      const isStaleConnection = outcomes.length > 0 && outcomes.every(neverConnected) && !signal.aborted;
      return isStaleConnection ? gate.send(permit, requests, options, signal) : outcomes;
    },
  };
}

/** Whether the request failed on a kept connection that the endpoint had already closed. */
function neverConnected(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" && outcome.reason === "reset" && outcome.exchange.status === undefined;
}

function requestOf({ method, params }: Question, index: number): RawRequest {
  const id = index + 1;
  return { text: printJson({ jsonrpc: "2.0", id, method, params }), id, method };
}
