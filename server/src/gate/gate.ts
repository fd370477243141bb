import { isObject, parseJson } from "../base/json.ts";
import type { Clock, Sockets, Transport } from "../base/ports.ts";
import type { LocalPortParams, LocalPortResult } from "../protocol/endpoints.ts";
import { openRecorder, type Recorder } from "../recording/recorder.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { type SendOptions, send, type Target } from "../rpc/send.ts";
import { noSockets, openSocketPool, type SocketPool } from "../rpc/socketPool.ts";
import type { RawRequest } from "../rpc/wire.ts";
import { mayRun } from "./verdict.ts";

/** The ports that reach the network. */
interface NetworkPorts {
  readonly transport: Transport;
  readonly sockets: Sockets;
}

/** A gate whose messages are recorded. */
export interface RecordedGate {
  readonly gate: Gate;
  readonly sockets: SocketPool;
  readonly recorder: Recorder;
}

/** Milliseconds that a port has to answer: the program is on this machine. */
const maxPortCheckMs = 2_000;
const maxPortCheckBytes = 10_000;

/** Posts requests. No other object holds the transport: it is shared only with a recorder. */
export class Gate {
  readonly #ports: NetworkPorts;

  constructor(ports: NetworkPorts) {
    this.#ports = ports;
  }

  /** Sends requests as {@link send} does. The caller has a verdict that they may go there. */
  send(
    target: Target,
    requests: readonly RawRequest[],
    options: SendOptions,
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    return send(this.#ports.transport, target, requests, options, signal);
  }
  /**
   * Returns a gate that sends in the same way and records.
   *
   * @param limits - Of what is kept; by default those of a recording.
   */
  recorded(clock: Clock, limits?: Parameters<typeof openRecorder>[1]): RecordedGate {
    const recorder = openRecorder({ ...this.#ports, clock }, limits);
    const sockets = recorder.sockets ?? noSockets;
    const gate = new Gate({ transport: recorder.transport, sockets });
    return { gate, sockets: openSocketPool(sockets, clock), recorder };
  }
  /** Finds out what listens at a port of this machine, for a person who starts a local chain. Sends `eth_chainId`. */
  async localPort({ port }: LocalPortParams, trusted: boolean, signal: AbortSignal): Promise<LocalPortResult> {
    const url = `http://127.0.0.1:${port}`;
    const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
    if (!isPort || !mayRun({ trusted, url })) return { state: "unknown" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    const headers = { "content-type": "application/json" };
    const request = { url, headers, body, timeoutMs: maxPortCheckMs, maxBytes: maxPortCheckBytes, repeatable: true };
    const answer = await this.#ports.transport.post(request, signal);
    if (answer.kind === "fault") return { state: answer.reason === "refused" ? "free" : "taken" };
    const message = parseJson(answer.body);
    return { state: isObject(message) && typeof message.result === "string" ? "chain" : "taken" };
  }
}
