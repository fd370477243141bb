import { type OtherContracts, withContracts } from "../../abi/abiScope.ts";
import { withDeadline } from "../../base/deadline.ts";
import { quantity } from "../../base/hex.ts";
import type { Downloads } from "../../base/ports.ts";
import { plural } from "../../base/text.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Labels } from "../../report/shown.ts";
import { Limiter } from "../../rpc/limiter.ts";
import { resultOf } from "../../rpc/outcome.ts";
import { isLocalChain } from "../../workspace/lookUpContract.ts";
import type { LookupHost } from "../../workspace/routes.ts";
import type { CellRun } from "../cellRun.ts";
import { chainOf, type DocumentRun } from "../documentRun.ts";

/** Questions to a lookup host after one run. */
const maxQuestions = 40;
/** Milliseconds for all of them. */
const maxMs = 30_000;
const atOnce = 4;

/** A run of a cell as it is shown with the contracts that are known. */
export interface NamedRun {
  readonly run: CellRun;
  readonly labels: Labels;
  /** Contracts that neither the project nor a lookup host declares: filled while reports are made. */
  readonly missing: ReadonlySet<string>;
}

/** Contracts in the results of a run that the project does not declare: from a lookup host, or what it said earlier. */
export class RunContracts {
  readonly #run: DocumentRun;
  readonly #host: LookupHost;
  readonly #limiter = new Limiter(atOnce);
  /** Of endpoints whose chain only they know, by name. */
  readonly #chains = new Map<string, Promise<bigint | undefined>>();
  readonly #chainOf = new WeakMap<Cell, bigint>();
  #questions = 0;
  /** Says in a sentence why nothing more is asked. */
  #ended: string | undefined;
  #startedAt: number | undefined;

  constructor(run: DocumentRun, host: LookupHost) {
    this.#run = run;
    this.#host = host;
  }

  /** Why not all contracts were looked up, in a sentence. */
  get fault(): string | undefined {
    return this.#ended;
  }
  named(run: CellRun): NamedRun {
    const { cell } = run.step;
    const chainId = this.#chainOf.get(cell) ?? chainOf(this.#run, cell);
    const missing = new Set<string>();
    const { knownContracts } = this.#run.support;
    const contracts: OtherContracts = {
      of: (address) => {
        const known = chainId === undefined ? undefined : knownContracts.at(this.#host.api, { chainId, address });
        return known?.abis;
      },
      missed: (address) => {
        const isKnown = chainId !== undefined && knownContracts.at(this.#host.api, { chainId, address });
        if (!isKnown && !(chainId !== undefined && isLocalChain(chainId))) missing.add(address);
      },
    };
    const found = chainId === undefined ? [] : knownContracts.namesOn(this.#host.api, chainId);
    const labels = new Map([...found, ...this.#run.names]);
    const answers = run.answers.map((answer) => ({ ...answer, scope: withContracts(answer.scope, contracts) }));
    return { run: { ...run, answers }, labels, missing };
  }
  /**
   * Looks up contracts: in the cache, then at the host if that is allowed.
   *
   * @returns Whether something is known now that was not. Never rejects.
   */
  async lookUp(cell: Cell, addresses: Iterable<string>): Promise<boolean> {
    const chainId = await this.#chainAt(cell);
    if (chainId === undefined || isLocalChain(chainId)) return false;
    this.#chainOf.set(cell, chainId);
    const { mask } = this.#run.support;
    const shown = [...addresses].filter((address) => mask.text(address) === address); // an address can be a secret
    const all = shown.map((address) => this.#limiter.run(() => this.#learn(cell, chainId, address)));
    return (await Promise.all(all)).some((isFound) => isFound);
  }

  async #learn(cell: Cell, chainId: bigint, address: string): Promise<boolean> {
    const { knownContracts, clock } = this.#run.support;
    const { api, downloads, verdict } = this.#host;
    const place = { chainId, address };
    const known = await knownContracts.read(api, place);
    if (known) return known.abis !== undefined;
    const client = verdict === "always" ? this.#clientOf(cell) : undefined;
    if (!client || this.#ended !== undefined || this.#run.signal.aborted) return false;
    this.#startedAt ??= clock.now();
    const left = this.#startedAt + maxMs - clock.now();
    const limited = { get: this.#limited(downloads) };
    const found = await withDeadline(clock, left, this.#run.signal, (signal) =>
      knownContracts.lookUp(place, { api, downloads: limited, client }, signal),
    );
    const { host } = new URL(api);
    if (found === "timeout") this.#ended ??= `${host} did not answer in time.`;
    if (typeof found === "string") return false;
    if ("what" in found) this.#ended ??= found.what;
    return "abis" in found && found.abis !== undefined;
  }
  #limited({ get }: Downloads): Downloads["get"] {
    return async (request, signal) => {
      if (this.#questions < maxQuestions) {
        this.#questions++;
        return get(request, signal);
      }
      this.#ended ??= `${plural(maxQuestions, "question")} were sent, the most for one run. Run it again for more names.`;
      return { kind: "fault", reason: "cancelled", detail: "" };
    };
  }
  #clientOf(cell: Cell) {
    const resolved = this.#run.routes.endpointOf(cell);
    const client = "endpoint" in resolved ? this.#run.support.routes.clientOf(resolved) : undefined;
    return client && "ask" in client ? client : undefined;
  }
  /** Returns the chain of a cell; asks its endpoint once if nothing says it. */
  async #chainAt(cell: Cell): Promise<bigint | undefined> {
    const stated = chainOf(this.#run, cell);
    const client = stated === undefined ? this.#clientOf(cell) : undefined;
    if (!client) return stated;
    const { name } = client.endpoint;
    const asked =
      this.#chains.get(name) ??
      client
        .ask([{ method: "eth_chainId", params: [] }], this.#run.signal)
        .then(([outcome]) => quantity(resultOf(outcome)));
    this.#chains.set(name, asked);
    return asked;
  }
}
