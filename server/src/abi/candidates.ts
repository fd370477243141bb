import { isPrecompile } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { type AbiScope, bundledIn } from "./abiScope.ts";
import type { Decoded, DecodeResult } from "./decode.ts";
import { decodeParams } from "./decode.ts";
import { encodeParams } from "./encode.ts";
import type { AbiItem } from "./item.ts";
import { declaration } from "./item.ts";
import type { AbiParam, AbiType } from "./type.ts";
import type { AbiLookup } from "./wellKnownAbis.ts";

/** Data as one declaration reads it. */
export interface Fit extends Reading {
  /** Everywhere that it is written with the same names of arguments, each once; never empty. */
  readonly sources: readonly string[];
}

/** Data as one declaration reads it. */
interface Reading extends DecodeResult {
  readonly item: AbiItem;
  /** No ABI of the project says so: four bytes are easily equal by chance, or on purpose. */
  readonly guess: boolean;
}

/** A declaration that fits as well as the one that was taken. */
export interface Candidate {
  /** The declaration in Solidity. */
  readonly declaration: string;
  readonly source: string;
}

/**
 * Reads data as everything that has its selector, and keeps what fits best.
 *
 * @param data - Lower-case hex, a selector of four bytes at its front.
 * @param address - The contract that the data is for, if known.
 * @returns The likeliest first, each signature once; empty if no declaration has that selector. The project's own
 *   declarations win if they fit.
 */
export function fittingData(
  kind: "error" | "function",
  data: string,
  scope: AbiScope | undefined,
  address?: string,
): readonly Fit[] {
  const read = (): readonly Fit[] => firstOfEach(namedFits(kind, data, scope, address), ({ item }) => item.signature);
  if (!scope) return read();
  const fits = readingsIn(scope.readAlike ?? scope).of(`${kind} ${address ?? ""} ${data}`, read);
  if (scope.readAlike) itemsAt(kind, data.slice(0, 10), scope, address); // remembered or not, it hears what it lacks
  return fits;
}

/** Characters of data whose readings are remembered: those of one large trace, which is read for its tokens, its tree and more. */
const maxRemembered = 1_000_000;

const readingsIn = memoByObject((_scope: object) => {
  const known = new Map<string, readonly Fit[]>();
  let characters = 0;
  return {
    of(key: string, read: () => readonly Fit[]): readonly Fit[] {
      const last = known.get(key);
      if (last) return last;
      characters += key.length;
      if (characters > maxRemembered) {
        known.clear();
        characters = key.length;
      }
      const fits = read();
      known.set(key, fits);
      return fits;
    },
  };
});

/** Like {@link fittingData}, but lists a signature once for each set of argument names. */
export function namedFits(
  kind: "error" | "function",
  data: string,
  scope: AbiScope | undefined,
  address?: string,
): readonly Fit[] {
  if (kind === "function" && address !== undefined && isPrecompile(address)) return []; // they have no selectors
  const selector = data.slice(0, 10);
  const read = (from: AbiLookup | undefined, guess: boolean): readonly Reading[] => {
    const readings = itemsAt(kind, selector, from, address).map((item): Reading => {
      const read = decodeParams(item.inputs, data, 10);
      return { item, guess: guess || item.isGuessed === true, ...read };
    });
    return readings.filter((one) => one.item.isGuessed !== true || isExact(one, data));
  };
  const own = read(scope, false);
  const declared = own.filter(({ guess }) => !guess);
  if (declared.some(({ faults }) => faults.length === 0)) return likeliest(declared, address);
  return likeliest([...own, ...read(bundledIn(scope), true)], address);
}

function itemsAt(
  kind: "error" | "function",
  selector: string,
  from: AbiLookup | undefined,
  address: string | undefined,
) {
  return (kind === "error" ? from?.errors(selector, address) : from?.functions(selector, address)) ?? [];
}

/**
 * Whether an encoder would write the values of guessed types as exactly this data: other types would often give other values without
 * a fault. Some contracts leave out the padding at the end.
 */
function isExact({ item, values, faults }: Reading, data: string): boolean {
  if (faults.length > 0) return false;
  const encoded = encodeParams(item.inputs, values as JsonValue[], () => false); // without a fault, all of them are there
  return encoded.kind === "encoded" && encoded.hex.slice(2).startsWith(data.slice(10));
}

function firstOfEach<T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const byKey = new Map<string, T>();
  for (const one of all) if (!byKey.has(keyOf(one))) byKey.set(keyOf(one), one);
  return [...byKey.values()];
}

/**
 * Those with the fewest faults: what is given for the contract first, then the plausible; of what reads the same only
 * the first, with the sources of all.
 */
function likeliest(fits: readonly Reading[], address: string | undefined): readonly Fit[] {
  const fewest = Math.min(...fits.map(({ faults }) => faults.length));
  const best = fits.filter(({ faults }) => faults.length === fewest);
  if (best.length === 1) return best.map((fit) => ({ ...fit, sources: [fit.item.source] }));
  const named = ({ item }: Reading): string => declaration(item);
  const distinct = firstOfEach(best, named).map((fit): Fit => {
    const same = best.filter((other) => named(other) === named(fit));
    return { ...fit, sources: [...new Set(same.map(({ item }) => item.source))] };
  });
  if (distinct.length < 2) return distinct;
  const ranked = (fit: Fit): number => (isFor(fit, address) ? -1 : odd(fit.item.inputs, fit.values));
  const oddities = new Map(distinct.map((fit) => [fit, ranked(fit)]));
  return distinct.toSorted((a, b) => (oddities.get(a) ?? 0) - (oddities.get(b) ?? 0));
}

/** Whether the project gives a declaration for the contract itself: what a lookup host says comes after the project. */
export function isFor({ item }: Reading, address: string | undefined): boolean {
  return address !== undefined && item.address === address.toLowerCase() && item.isLookedUp !== true;
}

/** The declarations that were not taken. */
export function candidates(fits: readonly Fit[]): readonly Candidate[] {
  return fits.slice(1).map(({ item }) => ({ declaration: declaration(item), source: item.source }));
}

/** How many values can hardly be meant as they are read. */
export function odd(params: readonly AbiParam[], values: readonly Decoded[]): number {
  return params.filter(({ type }, at) => isOdd(type, values[at])).length;
}

/** Whether a value can hardly be meant as it is read: an address that is a small number, a number as big as an address. */
export function isOdd(type: AbiType, value: Decoded): boolean {
  if (typeof value !== "string") return false;
  if (type.kind === "address") return value.startsWith("0x000000000000000000000000") && !/^0x0+$/.test(value);
  // no amount has so many digits, the greatest of all numbers aside
  return type.kind === "uint" && value.length > 36 && value.length < 77;
}
