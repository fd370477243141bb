import type { Creatable } from "./artifact.ts";
import type { AbiEvent, AbiItem } from "./item.ts";
import { isEvent, selectorOf } from "./item.ts";
import type { StoragePlace } from "./storagePlace.ts";
import type { ScopedLayout } from "./storageScope.ts";
import { type AbiLookup, append, wellKnownAbis } from "./wellKnownAbis.ts";

/**
 * Events, errors and functions of a project by topic or selector, and the bundled ones used if the project declares
 * none.
 */
export interface AbiScope extends AbiLookup {
  /** Events without a topic of their own. They fit many logs, so they are tried last. */
  readonly anonymous: readonly AbiEvent[];
  /** Contracts whose creation can be recognised. */
  readonly creatables: readonly Creatable[];
  /** Declarations that are known without the project: what they fit is a guess. */
  readonly bundled: AbiLookup;
  /** Storage layouts of the contracts of the project. */
  readonly layouts: readonly ScopedLayout[];
  /** The stored values that a request names. */
  readonly places?: readonly StoragePlace[];
  /** Contracts have declarations of their own that it does not list without their address. */
  readonly isByContract?: true;
  /** Scopes with the same object here read all data alike. */
  readonly readAlike?: object;
}

/**
 * Makes a scope of the project's ABIs.
 *
 * @param items - The more trusted ones first: among equals the first one names the arguments.
 */
export function scopeOf(
  items: Iterable<AbiItem>,
  creatables: readonly Creatable[] = [],
  bundled: AbiLookup = wellKnownAbis,
  layouts: readonly ScopedLayout[] = [],
): AbiScope {
  const events = new Map<string, AbiEvent[]>();
  const errors = new Map<string, AbiItem[]>();
  const functions = new Map<string, AbiItem[]>();
  const anonymous: AbiEvent[] = [];
  for (const item of items) {
    if (!isEvent(item)) append(item.kind === "error" ? errors : functions, selectorOf(item), item);
    else if (item.anonymous) anonymous.push(item);
    else append(events, item.hash, item);
  }
  return {
    events: (topic, address) => nearerFirst(events.get(topic) ?? [], address),
    anonymous,
    errors: (selector, address) => nearerFirst(errors.get(selector) ?? [], address),
    functions: (selector, address) => nearerFirst(functions.get(selector) ?? [], address),
    creatables,
    bundled,
    layouts,
  };
}

/** The declarations that are known without the project, as a scope has them. */
export function bundledIn(scope: AbiScope | undefined): AbiLookup {
  return scope?.bundled ?? wellKnownAbis;
}

/** A scope with other declarations that are known without the project. */
export function withBundled(scope: AbiScope, bundled: AbiLookup): AbiScope {
  return scope.bundled === bundled ? scope : { ...scope, bundled };
}

/** A scope that has some functions and events first: those that a request writes out. */
export function withWritten(scope: AbiScope, items: readonly AbiItem[]): AbiScope {
  if (items.length === 0) return scope;
  const functions = items.filter(({ kind }) => kind === "function");
  const events = items.filter(isEvent);
  return {
    ...scope,
    anonymous: [...events.filter(({ anonymous }) => anonymous), ...scope.anonymous],
    functions: (selector, address) => [
      ...functions.filter((item) => selectorOf(item) === selector),
      ...scope.functions(selector, address),
    ],
    events: (topic, address) => [
      ...events.filter(({ anonymous, hash }) => !anonymous && hash === topic),
      ...scope.events(topic, address),
    ],
  };
}

/** What is known of contracts beside the project. Addresses are in lower case. */
export interface OtherContracts {
  /** Returns the declarations of a contract. */
  of(address: string): AbiLookup | undefined;
  /** Called with a contract for which neither the project nor this one has a declaration. */
  missed(address: string): void;
  /** Returns the layouts of a scope, and after them those of contracts of which it has none. */
  layoutsWith(own: readonly ScopedLayout[]): readonly ScopedLayout[];
  /** Returns the same object for a scope as long as nothing else is known. */
  readAlike(scope: AbiScope): object;
}

/** A scope that has declarations of other contracts, each only for its own address: after those of the project. */
export function withContracts(scope: AbiScope, contracts: OtherContracts): AbiScope {
  return new ScopeOfContracts(scope, contracts);
}

/** A class, since each cell of a run has one: an object literal with as many functions and conditions takes 30 times as long. */
class ScopeOfContracts implements AbiScope {
  readonly isByContract = true;
  readonly anonymous: AbiScope["anonymous"];
  readonly creatables: AbiScope["creatables"];
  readonly bundled: AbiLookup;
  readonly layouts: AbiScope["layouts"];
  readonly readAlike: object;
  readonly places?: NonNullable<AbiScope["places"]>;
  readonly events: AbiLookup["events"];
  readonly functions: AbiLookup["functions"];
  readonly errors: AbiLookup["errors"];
  readonly #contracts: OtherContracts;

  constructor(scope: AbiScope, contracts: OtherContracts) {
    const { anonymous, creatables, bundled, places } = scope;
    [this.anonymous, this.creatables, this.bundled] = [anonymous, creatables, bundled];
    if (places) this.places = places;
    this.#contracts = contracts;
    this.readAlike = contracts.readAlike(scope);
    this.layouts = contracts.layoutsWith(scope.layouts);
    this.events = (topic, address) => this.#joined(scope.events(topic, address), address, (from) => from.events(topic));
    this.functions = (selector, address) =>
      this.#joined(scope.functions(selector, address), address, (from) => from.functions(selector));
    this.errors = (selector, address) =>
      bundled.errors(selector).some(({ source }) => source === "Solidity")
        ? scope.errors(selector, address)
        : this.#joined(scope.errors(selector, address), address, (from) => from.errors(selector));
  }

  #joined<Item extends AbiItem>(
    own: readonly Item[],
    address: string | undefined,
    read: (from: AbiLookup) => readonly Item[],
  ): readonly Item[] {
    const contract = address?.toLowerCase();
    if (contract === undefined || isPrecompiled(contract)) return own;
    const found = this.#contracts.of(contract);
    const more = found ? read(found) : [];
    if (own.length + more.length === 0) this.#contracts.missed(contract);
    return own.length === 0 ? more : more.length === 0 ? own : [...own, ...more];
  }
}

/** @see https://eips.ethereum.org/EIPS/eip-1352 (addresses up to 0xffff) */
function isPrecompiled(address: string): boolean {
  return /^0x0{36}/.test(address);
}

/** A scope that knows the stored values whose slots a request names. */
export function withPlaces(scope: AbiScope, places: readonly StoragePlace[] | undefined): AbiScope {
  return places ? { ...scope, places } : scope;
}

/** Items that the project gives for the contract first, then those for any or looked up for it, then those guessed for it, then those for others. Remembered ones are for their own contract only. */
function nearerFirst<T extends AbiItem>(items: readonly T[], address: string | undefined): readonly T[] {
  if (items.every((item) => item.address === undefined)) return items;
  const contract = address?.toLowerCase();
  const usable = items.filter((item) => !item.isRemembered || item.address === contract);
  if (contract === undefined) return usable;
  const distance = ({ address: own, isLookedUp = false, isGuessed = false }: T): number =>
    own === undefined ? 1 : (own === contract ? 0 : 3) + (isGuessed ? 2 : isLookedUp ? 1 : 0);
  return usable.toSorted((a, b) => distance(a) - distance(b));
}
