import type { Mask } from "../base/mask.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { bySocket, type Resolved } from "../endpoints/resolveEndpoint.ts";
import type { Approvals } from "../gate/approvals.ts";
import {
  type BackgroundClient,
  type BackgroundFailure,
  openBackgroundClient,
  type ProbeClients,
} from "../gate/backgroundClient.ts";
import type { UnsentReason } from "../gate/unsentReason.ts";
import { readCell } from "../notebook/readCell.ts";
import type { CadenceMemory } from "../rpc/cadence.ts";
import type { Probed } from "../rpc/send.ts";
import type { EndpointMemories } from "./documentEndpoints.ts";
import { backgroundFacts, endpointKey } from "./endpointFacts.ts";
import type { WorkspaceHost } from "./host.ts";

/** Measures one endpoint. */
export interface Prober extends ProbeClients {
  /** Remembers what a probe measured, for completions, warnings and later requests. */
  learn(probed: Probed, cadence: CadenceMemory): void;
}

/** Sends requests without a run: for hovers, hints, watches and probes. */
export class BackgroundClients {
  readonly #host: Pick<WorkspaceHost, "gate" | "clock"> & { readonly mask: Mask };
  readonly #approvals: Approvals;
  readonly #memories: EndpointMemories;
  /** By everything that a client depends on: equal endpoints of several documents share one. */
  readonly #clients = new Map<string, BackgroundClient>();

  constructor({ gate, clock }: WorkspaceHost, approvals: Approvals, memories: EndpointMemories, mask: Mask) {
    this.#host = { gate, clock, mask };
    this.#approvals = approvals;
    this.#memories = memories;
  }

  /** Never asks a person: returns a failure if requests may not go there yet. */
  of(resolved: Resolved): BackgroundClient | BackgroundFailure {
    const permit = this.#approvals.permit(resolved, "background");
    if (!permit.isOpen) return { silent: "not-approved" };
    const { endpoint } = resolved;
    const memory = this.#memories.of(endpoint);
    const facts = backgroundFacts(endpoint, memory, this.#approvals.permit(bySocket(resolved), "background"));
    const key = endpointKey(endpoint, facts);
    const client = this.#clients.get(key) ?? openBackgroundClient(permit, facts, { ...this.#host, memory });
    this.#clients.set(key, client);
    return client;
  }
  /** Asks a person, as a run does, if requests may not go there yet. */
  async prober(resolved: Resolved, signal: AbortSignal): Promise<Prober | UnsentReason> {
    const probeCell = readCell("{}"); // represents requests that contain no value of the host
    const permit = this.#approvals.permit(resolved, "run");
    const [refusal] = (await this.#approvals.admit(permit, [probeCell], () => [], signal)).values();
    if (refusal) return refusal;
    const { endpoint } = resolved;
    const bySockets = bySocket(resolved);
    const alone = { ...bySockets, endpoint: { ...bySockets.endpoint, batch: false as const } };
    const socket = this.#approvals.permit(alone, "background");
    return {
      asker: openBackgroundClient(permit, {}, { ...this.#host, memory: this.#memories.of(endpoint) }),
      socket: socket.isOpen ? openBackgroundClient(socket, { socket }, { ...this.#host, memory: {} }) : undefined,
      learn: (probed, cadence) => this.#learn(endpoint, probed, cadence),
    };
  }

  #learn(endpoint: Endpoint, probed: Probed, { blockMs, ahead }: CadenceMemory): void {
    const memory = this.#memories.of(endpoint);
    memory.probed = probed;
    if (blockMs !== undefined) memory.blockMs = blockMs;
    if (ahead) memory.ahead = ahead;
    if (probed.refuses.includes("eth_getBlockReceipts")) memory.refusesReceipts = true;
    this.#memories.noteChange();
  }
}
