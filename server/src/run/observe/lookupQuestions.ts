import { checksummed } from "../../abi/address.ts";
import type { ChainAddress } from "../../abi/verifiedContract.ts";
import { withDeadline } from "../../base/deadline.ts";
import type { Clock, Downloads } from "../../base/ports.ts";
import { listed, oneLine } from "../../base/text.ts";
import type { QuestionClient } from "../../gate/backgroundClient.ts";
import type { KnownContracts } from "../../workspace/knownContracts.ts";
import type { LookupHost } from "../../workspace/routes.ts";

/** Questions to a lookup host after one run. */
const maxQuestions = 40;
/** Seconds for all of them. */
const maxSeconds = 30;

/** A contract that is not known, and the host that may know it. */
export interface WantedContract extends ChainAddress {
  readonly host: LookupHost;
}

/** The questions to lookup hosts that a person has allowed: not too many, not for long, and none to a host after it failed. */
export class LookupQuestions {
  readonly #isAllowed: (host: LookupHost) => boolean;
  readonly #known: KnownContracts;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #startedAt: number;
  #count = 0;
  /** Contracts that were looked at. */
  readonly #seen = new Map<string, Promise<readonly WantedContract[]>>();
  /** Why a host is not asked any more, by its URL. */
  readonly #faults = new Map<string, string>();
  /** Why contracts of an endpoint could not be compared with their code. */
  readonly #endpointFaults = new Set<string>();
  /** Addresses of contracts that nobody verified, by the URL of the host. */
  readonly #unverified = new Map<string, Set<string>>();

  /** @param isAllowed - Says which hosts a person has allowed. */
  constructor(isAllowed: (host: LookupHost) => boolean, known: KnownContracts, clock: Clock, signal: AbortSignal) {
    [this.#isAllowed, this.#known, this.#clock, this.#signal] = [isAllowed, known, clock, signal];
    this.#startedAt = clock.now();
  }

  /** Sentences that say why not everything was asked, each once. */
  get faults(): readonly string[] {
    return [...new Set([...this.#faults.values(), ...this.#endpointFaults])];
  }
  /** URLs of the hosts that are not asked any more. */
  get failedHosts(): Iterable<string> {
    return this.#faults.keys();
  }
  /** Sentences for a person who sees the results: why not everything was asked, and which contracts the hosts do not know. */
  get notes(): readonly string[] {
    return [
      ...notLookedUp(this.faults),
      ...[...this.#unverified].map(([api, addresses]) => unverifiedNote(api, addresses)),
    ];
  }
  /** Looks at a contract that many results lack once. */
  once({ host, chainId, address }: WantedContract, look: () => Promise<readonly WantedContract[]>) {
    const key = `${host.api} ${chainId} ${address}`;
    const seen = this.#seen.get(key) ?? look();
    this.#seen.set(key, seen);
    return seen;
  }
  /** Returns whether a host may be asked. */
  allows({ refusal, ...host }: LookupHost): boolean {
    if (refusal !== undefined) this.#stop(host.api, refusal);
    return this.#isAllowed(host);
  }
  /** Asks an allowed host about a contract, and keeps the answer. Never rejects. */
  async ask({ host, ...place }: WantedContract, client: QuestionClient): Promise<void> {
    const { api } = host;
    if (this.#faults.has(api) || this.#signal.aborted) return;
    const left = this.#startedAt + maxSeconds * 1000 - this.#clock.now();
    if (left <= 0) return this.#stop(api, `The ${maxSeconds} seconds for lookups were over.`);
    const found = await withDeadline(this.#clock, left, this.#signal, (signal) =>
      this.#known.lookUp(place, { api, downloads: { get: this.#from(host) }, client }, signal),
    );
    if (found === "timeout") this.#stop(api, `${new URL(api).host} did not answer in time. Try again later.`);
    else if (typeof found !== "string" && "what" in found) {
      const fault = `${found.what} ${found.todo}`;
      if (found.reason === "endpoint") this.#endpointFaults.add(fault);
      else this.#stop(api, fault);
    }
  }

  /** Remembers a contract that nobody verified. */
  sawUnverified({ host: { api }, address }: WantedContract): void {
    const addresses = this.#unverified.get(api) ?? new Set();
    this.#unverified.set(api, addresses.add(address));
  }

  #stop(api: string, fault: string): void {
    if (!this.#faults.has(api)) this.#faults.set(api, fault);
  }
  #from({ api, downloads }: LookupHost): Downloads["get"] {
    return async (request, signal) => {
      if (this.#count < maxQuestions) {
        this.#count++;
        return downloads.get(request, signal);
      }
      this.#stop(
        api,
        `Lookups stopped after ${maxQuestions} questions, the limit for one run. Run it again for more names.`,
      );
      return { kind: "fault", reason: "cancelled", detail: "" };
    };
  }
}

/** Addresses that a note lists. */
const maxListed = 8;

/**
 * Says which contracts a host does not know, without a full stop.
 *
 * @param show - Returns an address as it is shown; without it, all of it is.
 */
export function withoutSources(
  api: string,
  addresses: ReadonlySet<string>,
  show: (address: string) => string = (address) => address,
): string {
  const shown = [...addresses]
    .toSorted()
    .slice(0, maxListed)
    .map((address) => show(checksummed(address)));
  const more = addresses.size - shown.length;
  return `${new URL(api).host} has no verified sources of ${listed(more > 0 ? [...shown, `${more} more`] : shown)}`;
}

function unverifiedNote(api: string, addresses: ReadonlySet<string>): string {
  const whose = addresses.size === 1 ? "its" : "their";
  return `${withoutSources(api, addresses)}: ${whose} names in results are guesses. To guess more from ${whose} code: rpc-notebook contracts add ADDRESS --guess`;
}

/** Returns a note about contracts that were not looked up; nothing without a fault. */
export function notLookedUp(faults: readonly string[]): readonly string[] {
  return faults.length > 0
    ? [["Not all contracts were looked up.", ...faults.map((fault) => oneLine(fault))].join(" ")]
    : [];
}
