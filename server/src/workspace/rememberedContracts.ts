import type { AbiItem } from "../abi/item.ts";
import type { StorageLayout } from "../abi/storageLayout.ts";
import type { ChainAddress } from "../abi/verifiedContract.ts";
import { addressesIn } from "../analysis/labels.ts";
import { memoByObject } from "../base/memo.ts";
import type { Consent } from "../base/ports.ts";
import { headerValues } from "../notebook/header.ts";
import { DocumentCache } from "./documentCache.ts";
import type { Document } from "./documents.ts";
import type { KnownContract, KnownContracts } from "./knownContracts.ts";
import { isLocalChain } from "./lookUpContract.ts";
import type { Routes } from "./routes.ts";

/** What lookup hosts said earlier about the contracts that a document names. */
export interface Remembered {
  readonly answers: readonly KnownContract[];
  readonly items: readonly AbiItem[];
  readonly layouts: readonly StorageLayout[];
  /** By the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
}

type AskedRoutes = Pick<Routes, "of" | "lookupHost" | "settled">;

const nothing: Remembered = { answers: [], items: [], layouts: [], names: new Map() };
/** Addresses of one document. */
const maxAddresses = 500;

/** Reads the cache for the addresses that are written in documents, on the chain of their endpoint. Sends nothing. */
export class RememberedContracts {
  readonly #consent: Consent;
  readonly #routes: AskedRoutes;
  readonly #known: KnownContracts;
  /** Contracts that were read from the cache, or are not in it: answers of this session are in memory. */
  readonly #sought = new Set<string>();
  readonly #documents = new Map<string, Document>();
  readonly #read: DocumentCache<Remembered>;

  constructor(changed: (uri: string) => void, consent: Consent, routes: AskedRoutes, known: KnownContracts) {
    [this.#consent, this.#routes, this.#known] = [consent, routes, known];
    this.#read = new DocumentCache(nothing, {
      changed,
      isSame: ({ answers }, other) =>
        answers.length === other.answers.length && answers.every((one, at) => one === other.answers[at]),
    });
    known.onNews(() => {
      for (const uri of this.#documents.keys()) this.of(uri);
    });
  }

  follow(document: Document): void {
    this.#documents.set(document.uri, document);
  }
  /** Returns what was read last. The same object for as long as nothing changes. */
  of(uri: string): Remembered {
    const document = this.#documents.get(uri);
    const place = this.#placeOf(uri);
    const addresses = document && place ? addressesOf(document) : [];
    if (!place || addresses.length === 0) return nothing;
    const { api, chainId } = place;
    const sources = `${api} ${chainId} ${this.#known.version} ${addresses.join(" ")}`;
    this.#read.follow(uri, sources, async () => {
      const found = addresses.map((address) => this.#answer(api, { chainId, address }));
      return joined(addresses, await Promise.all(found));
    });
    return this.#read.of(uri);
  }
  /** Returns the files of all contracts that are known on the chain of a document. */
  async filesFor(uri: string): Promise<Awaited<ReturnType<KnownContracts["filesOn"]>>> {
    await this.settled(uri);
    const place = this.#placeOf(uri);
    return place ? this.#known.filesOn(place.api, place.chainId) : [];
  }
  async settled(uri: string): Promise<void> {
    await this.#routes.settled(uri);
    this.of(uri);
    await this.#read.settled(uri);
  }
  forget(uri: string): void {
    this.#documents.delete(uri);
    this.#read.forget(uri);
  }

  #placeOf(uri: string): { readonly api: string; readonly chainId: bigint } | undefined {
    const document = this.#documents.get(uri);
    const endpoint = document && this.#routes.of(document).endpoint;
    const host = document && this.#routes.lookupHost(endpoint?.contracts);
    if (!host || host.verdict === "never") return undefined;
    if (host.verdict === "ask" && this.#consent.byOptions) return undefined; // a command uses what it is told to use
    const chainId = endpoint?.chainId ?? headerValues(document.header).chainId;
    return chainId === undefined || isLocalChain(chainId) ? undefined : { api: host.api, chainId };
  }
  async #answer(api: string, place: ChainAddress): Promise<KnownContract | undefined> {
    const key = `${api} ${place.chainId} ${place.address}`;
    if (this.#sought.has(key)) return this.#known.at(api, place);
    this.#sought.add(key);
    return this.#known.read(api, place);
  }
}

const addressesOf = memoByObject(({ header, cells }: Document): readonly string[] => {
  const found = new Set<string>();
  for (const cell of header ? [header, ...cells] : cells) {
    if (found.size >= maxAddresses) break;
    for (const address of addressesIn(cell)) found.add(address.toLowerCase());
  }
  return [...found].slice(0, maxAddresses);
});

function joined(addresses: readonly string[], found: readonly (KnownContract | undefined)[]): Remembered {
  const answers = found.filter((one) => one !== undefined);
  const names = addresses.flatMap((address, at) => {
    const name = found[at]?.name;
    return name === undefined ? [] : [[address, name] as const];
  });
  return {
    answers,
    items: answers.flatMap(({ items }) => items),
    layouts: answers.flatMap(({ layouts }) => layouts),
    names: new Map(names),
  };
}
