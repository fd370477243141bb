import { type JsonValue, printJson } from "../base/json.ts";
import type { Clock, Transport } from "../base/ports.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { type EndpointMemory, send } from "../rpc/send.ts";

/** A request that reads or simulates; nothing else is asked in the background. */
export interface Question {
  readonly method: string;
  readonly params: readonly JsonValue[];
}

/** Asks one endpoint in the background: quickly or not at all, never twice, and without troubling a person. */
export interface Asker {
  readonly endpoint: Endpoint;
  /** Its `pending` is ahead of `latest`. */
  readonly preconfirmed: boolean;
  /** Milliseconds after which an answer is an old one. */
  readonly cadenceMs: number;
  /** All in one body, where the endpoint takes batches. One outcome a question. Never rejects. */
  ask(questions: readonly Question[], signal: AbortSignal): Promise<readonly Outcome[]>;
}

/** Why nothing is asked in the background. */
export type Silence = {
  readonly silent: "untrusted" | "no-endpoint" | "not-approved";
};

export interface AskerHost {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly memory: EndpointMemory;
}

/** Milliseconds that a person looks at a hover without an answer; an endpoint that needs longer is said to be slow. */
const patienceMs = 4000;
/** Bytes of one answer; code of the largest contract is 48 kB in hex. */
const mostBytes = 10_000_000;

export function openAsker(endpoint: Endpoint, preconfirmed: boolean, { transport, clock, memory }: AskerHost): Asker {
  return {
    endpoint,
    preconfirmed,
    cadenceMs: preconfirmed ? 200 : 2000,
    ask(questions, signal) {
      const requests = questions.map(({ method, params }, index) => {
        const id = index + 1;
        return { text: printJson({ jsonrpc: "2.0", id, method, params }), id, method };
      });
      const options = {
        timeoutMs: patienceMs,
        maxBytes: mostBytes,
        idempotent: true,
        ...(endpoint.batch !== undefined && { batch: endpoint.batch }),
        retry: { attempts: 1, baseMs: 0, maxWaitMs: 0 },
        clock,
        memory,
      };
      return send(transport, endpoint, requests, options, signal);
    },
  };
}
