import { type DescriptorKind, type DescriptorList, descriptorHash } from "./descriptors.ts";

/** A place where a descriptor says something. */
export interface DescriptorPlace {
  /** Of the list that it is in. */
  readonly list: number;
  readonly uri: string;
  /** A key of `display.formats`. */
  readonly key: string;
}

/** Two descriptors that say different things about one function of one contract. */
export interface DescriptorConflict {
  readonly chainId: string;
  readonly address: string;
  /** This one counts. */
  readonly first: DescriptorPlace;
  readonly second: DescriptorPlace;
}

/** Finds descriptors that disagree: of two files, the first function that they disagree about. */
export function descriptorConflicts(lists: readonly DescriptorList[]): readonly DescriptorConflict[] {
  const firsts = new Map<string, readonly [list: number, at: number]>();
  const conflicts = new Map<string, DescriptorConflict>();
  for (const [number, { entries }] of lists.entries())
    for (const [at, { kind, hashes, places }] of entries.entries())
      for (const [hash, place] of hashes.flatMap((one) => places.map((place) => [one, place] as const))) {
        const key = `${kind} ${place} ${hash}`;
        const [firstList, firstAt] = firsts.get(key) ?? [number, at];
        if (firstList === number && firstAt === at) {
          firsts.set(key, [number, at]);
          continue;
        }
        const [first, second] = [said(lists, firstList, firstAt, kind, hash), said(lists, number, at, kind, hash)];
        const files = `${first.uri} ${second.uri}`;
        if (first.uri === second.uri || first.text === second.text || conflicts.has(files)) continue;
        const [chainId = "", address = ""] = place.split(":");
        conflicts.set(files, { chainId, address, first, second });
      }
  return [...conflicts.values()];
}

/** Returns what a descriptor says about a function, as a text that is another one if it says something else. */
function said(
  lists: readonly DescriptorList[],
  list: number,
  at: number,
  kind: DescriptorKind,
  hash: string,
): DescriptorPlace & { readonly text: string } {
  const { display, metadata } = lists[list]?.bodyOf(at) ?? {};
  const [key = "", format] =
    Object.entries(display?.formats ?? {}).find(([one]) => descriptorHash(kind, one) === hash) ?? [];
  const own = JSON.stringify([key, format]);
  const used = own.includes('"$.') ? JSON.stringify([display?.definitions, metadata]) : "";
  return { list, uri: lists[list]?.entries[at]?.uri ?? "", key, text: `${own}${used}` };
}
