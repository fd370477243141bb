import { isObject, parseJson } from "../base/json.ts";
import type { Clock, Sockets, Transport, TransportFault } from "../base/ports.ts";
import type { LocalPortParams, LocalPortResult } from "../protocol/endpoints.ts";
import { openRecorder, type Recorder } from "../recording/recorder.ts";
import type { Replays } from "../recording/replays.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { type SendOptions, send } from "../rpc/send.ts";
import { noSockets, openSocketPool, type SocketPool, withSockets } from "../rpc/socketPool.ts";
import { type SubscribeOptions, type Subscription, subscribe } from "../rpc/subscription.ts";
import type { RawRequest } from "../rpc/wire.ts";
import type { Permit } from "./approvals.ts";
import { mayRun } from "./verdict.ts";

/** The ports that reach the network. */
interface NetworkPorts {
  readonly transport: Transport;
  /** Absent if no WebSocket can be opened. */
  readonly sockets?: Sockets | undefined;
  readonly clock: Clock;
}

/** What is below a gate, and known to nothing else. */
interface Wires {
  readonly transport: Transport;
  readonly sockets: Sockets;
  /** The open ones. */
  readonly pool: SocketPool;
  readonly clock: Clock;
  /** Notes what requests were sent by. */
  readonly used?: Set<Permit>;
}

/** A gate that records what passes. */
export interface RecordedGate extends Pick<Recorder, "ambiguous" | "recording" | "finish"> {
  readonly gate: Gate;
}

/** Milliseconds that a port has to answer: the program is on this machine. */
const maxPortCheckMs = 2_000;
const maxPortCheckBytes = 10_000;

/** Opens the gate to the network. Recordings answer before it. */
export function openGate({ transport, sockets = noSockets, clock }: NetworkPorts, replays: Replays): Gate {
  const all = replays.sockets(sockets);
  const pool = openSocketPool(all, clock);
  return new Gate({ transport: replays.transport(withSockets(transport, pool, clock)), sockets: all, pool, clock });
}

/** Posts requests, and subscribes. No other object holds the transport or a socket: they are shared only with a recorder. */
class Gate {
  readonly #wires: Wires;

  constructor(wires: Wires) {
    this.#wires = wires;
  }

  /** Sends requests as {@link send} does. Each message needs that the permit is still open. */
  send(
    permit: Permit,
    requests: readonly RawRequest[],
    options: SendOptions,
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    const { transport, used } = this.#wires;
    used?.add(permit);
    const post: Transport["post"] = async (request, over) => (permit.isOpen ? transport.post(request, over) : closed);
    return send({ post }, permit.resolved.endpoint, requests, options, signal);
  }
  /** Subscribes as {@link subscribe} does, on a connection that others use too. Each message needs an open permit. */
  subscribe(
    permit: Permit,
    request: Parameters<typeof subscribe>[2],
    options: SubscribeOptions,
    signal: AbortSignal,
  ): Subscription {
    const { pool, used } = this.#wires;
    used?.add(permit);
    return subscribe(permittedPool(pool, permit), permit.resolved.endpoint, request, options, signal);
  }
  /**
   * Returns a gate that sends in the same way and records.
   *
   * @param limits - Of what is kept, if only answers are: subscriptions then use the same connections as without it.
   */
  recorded(limits?: Parameters<typeof openRecorder>[1]): RecordedGate {
    const { transport, clock } = this.#wires;
    const recorder = openRecorder(limits ? { transport, clock } : this.#wires, limits);
    const used = new Set<Permit>();
    const own = { ...this.#wires, transport: recorder.transport, used };
    const { sockets } = recorder;
    return {
      gate: new Gate(sockets ? { ...own, sockets, pool: openSocketPool(sockets, clock) } : own),
      ambiguous: recorder.ambiguous,
      recording: recorder.recording,
      finish: async (tool, signal) =>
        [...used].every(({ isOpen }) => isOpen) ? recorder.finish(tool, signal) : recorder.recording(tool),
    };
  }
  /** Finds out what listens at a port of this machine, for a person who starts a local chain. Sends `eth_chainId`. */
  async localPort({ port }: LocalPortParams, trusted: boolean, signal: AbortSignal): Promise<LocalPortResult> {
    const url = `http://127.0.0.1:${port}`;
    const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
    if (!isPort || !mayRun(trusted, url)) return { state: "unknown" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    const headers = { "content-type": "application/json" };
    const request = { url, headers, body, timeoutMs: maxPortCheckMs, maxBytes: maxPortCheckBytes, repeatable: true };
    const answer = await this.#wires.transport.post(request, signal);
    if (answer.kind === "fault") return { state: answer.reason === "refused" ? "free" : "taken" };
    const message = parseJson(answer.body);
    return { state: isObject(message) && typeof message.result === "string" ? "chain" : "taken" };
  }
}

export type { Gate };

const closed: TransportFault = { kind: "fault", reason: "unsendable", detail: "it is no longer allowed", sent: false };

/** Returns the connections of a pool for messages that need an open permit. */
function permittedPool(pool: SocketPool, permit: Permit): SocketPool {
  return {
    async connectionFor(request, body, signal) {
      if (!permit.isOpen) return closed;
      const connection = await pool.connectionFor(request, body, signal);
      if ("kind" in connection) return connection;
      const { closed: ended, close, listen, takes, post } = connection;
      return {
        closed: ended,
        close: () => {
          if (permit.isOpen) close(); // else it looks lost, and others may use it
        },
        listen,
        takes,
        post: async (text, timeoutMs, over) => (permit.isOpen ? post(text, timeoutMs, over) : closed),
        get isOpen() {
          return connection.isOpen;
        },
      };
    },
  };
}
