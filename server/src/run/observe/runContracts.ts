import { type OtherContracts, withContracts } from "../../abi/abiScope.ts";
import { layoutsAt, type ScopedLayout } from "../../abi/storageScope.ts";
import { quantity } from "../../base/hex.ts";
import { memoOfLast } from "../../base/memo.ts";
import { plural, shortHex } from "../../base/text.ts";
import { isReplay, staysHere } from "../../endpoints/site.ts";
import type { BackgroundClient } from "../../gate/backgroundClient.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { NoteSection } from "../../report/report.ts";
import type { Labels } from "../../report/shown.ts";
import { Limiter } from "../../rpc/limiter.ts";
import { resultOf } from "../../rpc/outcome.ts";
import type { KnownOnChain } from "../../workspace/knownContracts.ts";
import { isLocalChain } from "../../workspace/lookUpContract.ts";
import type { LookupHost } from "../../workspace/routes.ts";
import type { CellRun } from "../cellRun.ts";
import { chainOf, type DocumentRun } from "../documentRun.ts";
import type { LookupQuestions, WantedContract } from "./lookupQuestions.ts";

/** Contracts that are looked up at the same time. */
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
  /** The person is offered to look up what is missing; otherwise it is looked up before results are shown. */
  readonly isOffered: boolean;
  readonly #run: DocumentRun;
  /** Results that have the offer. */
  readonly #offered = new WeakSet<NamedRun>();
  readonly #limiter = new Limiter(atOnce);
  /** Chains that only their endpoint knows, by its name. */
  readonly #chains = new Map<string, bigint>();
  /** Questions for them that are under way: many cells ask at the same time. */
  readonly #askingForChains = new Map<string, Promise<bigint | undefined>>();

  /** The names and layouts of a run with those that a lookup host gave. */
  readonly #joined = memoOfLast(({ names: found, layouts }: KnownOnChain) => {
    const { names } = this.#run;
    return {
      labels: found.length > 0 ? new Map([...found, ...names]) : names,
      layoutsWith: memoOfLast((own: readonly ScopedLayout[]) => {
        const more = layouts.filter(({ address }) => layoutsAt(own, address, names).layouts.length === 0);
        return more.length > 0 ? [...own, ...more] : own;
      }),
    };
  });

  constructor(run: DocumentRun, isOffered: boolean) {
    [this.#run, this.isOffered] = [run, isOffered];
  }

  named(run: CellRun): NamedRun {
    const host = this.#hostOf(run.step.cell);
    const { names, support } = this.#run;
    const missing = new Set<string>();
    const chainId = this.#chainOf(run.step.cell);
    if (!host) return { run, labels: names, missing };
    const { api } = host;
    const onChain = chainId === undefined ? undefined : support.knownContracts.onChain(api, chainId);
    const joined = onChain && this.#joined(onChain);
    const known = (address: string) =>
      chainId === undefined ? undefined : support.knownContracts.at(api, { chainId, address });
    const contracts: OtherContracts = {
      of: (address) => known(address)?.abis,
      missed: (address) => {
        if (!known(address)) missing.add(address);
      },
      layoutsWith: (own) => joined?.layoutsWith(own) ?? own,
      readAlike: (scope) => onChain?.readAlike(scope) ?? scope,
    };
    const answers = run.answers.map((answer) => ({ ...answer, scope: withContracts(answer.scope, contracts) }));
    return { run: { ...run, answers }, labels: joined?.labels ?? names, missing };
  }
  /** Returns the offer to look up what a result lacks. */
  offer(cell: Cell, named: NamedRun): NoteSection | undefined {
    const { missing } = named;
    const [first] = missing;
    if (first === undefined || !this.#mayOffer(cell, named)) return undefined;
    this.#offered.add(named);
    const what = missing.size === 1 ? shortHex(first) : plural(missing.size, "contract");
    const actions = [{ kind: "look-up-names", label: "Look Up Names" }] as const;
    return { kind: "note", text: `The project has no ABI of ${what}.`, actions };
  }
  /** Whether a result would be shown otherwise now. */
  hasNews(cell: Cell, named: NamedRun): boolean {
    const host = this.#hostOf(cell);
    const chainId = this.#chainOf(cell);
    const isKnown = (address: string) =>
      host && chainId !== undefined && this.#run.support.knownContracts.at(host.api, { chainId, address });
    return this.#offered.has(named) !== this.#mayOffer(cell, named) || [...named.missing].some(isKnown);
  }
  /**
   * Learns about contracts from the cache, then from the host.
   *
   * @param questions - For the host. Without them only the endpoint is asked, for its chain if nothing says it.
   * @returns Those that are still not known. Never rejects.
   */
  async learn(
    cell: Cell,
    missing: ReadonlySet<string>,
    questions: LookupQuestions | undefined,
  ): Promise<readonly WantedContract[]> {
    const host = this.#hostOf(cell);
    const { mask, knownContracts } = this.#run.support;
    const mayAsk = host && (!questions || questions.allows(host));
    const client = mayAsk ? this.#clientOf(cell) : undefined;
    const chainId = this.#chainOf(cell) ?? (client && (await this.#askedChain(client)));
    if (!host || chainId === undefined || isLocalChain(chainId)) return [];
    const shown = [...missing].filter((address) => mask.text(address) === address); // an address can be a secret
    const learned = shown.map((address) => {
      const place = { chainId, address, host };
      const look = () =>
        this.#limiter.run(async () => {
          const kept = await knownContracts.read(host.api, place);
          const now = this.#hostOf(cell); // settings and approvals change meanwhile
          if (!kept && client && now?.api === host.api && questions?.allows(now)) await questions.ask(place, client);
          const known = kept ?? knownContracts.at(host.api, place);
          if (known?.isUnverified) questions?.sawUnverified(place);
          return known ? [] : [place];
        });
      return questions ? questions.once(place, look) : look();
    });
    return (await Promise.all(learned)).flat();
  }
  /** The lookup host of the endpoint of a cell, if the person has not said never. */
  #hostOf(cell: Cell): LookupHost | undefined {
    const resolved = this.#run.routes.endpointOf(cell);
    const host = this.#run.support.routes.lookupHost("endpoint" in resolved ? resolved.endpoint.contracts : undefined);
    return host?.verdict === "never" ? undefined : host;
  }
  #mayOffer(cell: Cell, { missing }: NamedRun): boolean {
    if (missing.size === 0 || !this.isOffered || this.#hostOf(cell)?.verdict !== "ask") return false;
    const chainId = this.#chainOf(cell);
    const url = this.#urlOf(cell);
    if (url === undefined) return false;
    return chainId === undefined ? !staysHere(url) : !isLocalChain(chainId);
  }
  /** Returns the address of the endpoint of a cell; `undefined` if a recording answers, which asks nothing. */
  #urlOf(cell: Cell): string | undefined {
    const resolved = this.#run.routes.endpointOf(cell);
    return "endpoint" in resolved && !isReplay(resolved.endpoint.url) ? resolved.endpoint.url : undefined;
  }
  #clientOf(cell: Cell): BackgroundClient | undefined {
    if (this.#urlOf(cell) === undefined) return undefined;
    const resolved = this.#run.routes.endpointOf(cell);
    const client = "endpoint" in resolved ? this.#run.support.routes.clientOf(resolved) : undefined;
    return client && "ask" in client ? client : undefined;
  }
  #chainOf(cell: Cell): bigint | undefined {
    const resolved = this.#run.routes.endpointOf(cell);
    return chainOf(this.#run, cell) ?? ("endpoint" in resolved ? this.#chains.get(resolved.endpoint.name) : undefined);
  }
  #askedChain({ endpoint: { name }, ask }: BackgroundClient): Promise<bigint | undefined> {
    const question = async (): Promise<bigint | undefined> => {
      const [outcome] = await ask([{ method: "eth_chainId", params: [] }], this.#run.signal);
      const chainId = quantity(resultOf(outcome));
      if (chainId !== undefined) this.#chains.set(name, chainId);
      return chainId;
    };
    const asking = this.#askingForChains.get(name) ?? question().finally(() => this.#askingForChains.delete(name));
    this.#askingForChains.set(name, asking);
    return asking;
  }
}
