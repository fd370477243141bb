import { type DescriptorList, descriptorHash } from "../abi/descriptors.ts";
import type { Files } from "../base/ports.ts";
import { decodeUtf8, type FileRange, plural } from "../base/text.ts";
import { pathInside } from "../base/uri.ts";
import { type FileFault, keySpan, placeOf } from "./descriptorSources.ts";
import type { ProjectPath } from "./projectFiles.ts";

/** A file or a folder with descriptors. */
export interface DescriptorSource extends ProjectPath {
  readonly from: "header" | "settings" | "registry";
  /** Who says what is read there. */
  readonly originOf: (entity: string) => string;
}

/** What was read of a source. */
export interface Found {
  readonly table: DescriptorList;
  readonly faults: readonly FileFault[];
}

/** The problems of the descriptors of a document. */
export interface DescriptorProblems {
  readonly ofHeader: readonly DescriptorProblem[];
  readonly ofFiles: readonly DescriptorFileProblem[];
}

/** A problem with descriptors that a header names. */
export interface DescriptorProblem {
  /** The path as the header has it. */
  readonly path: string;
  /** A clause without a full stop. */
  readonly what: string;
}

export interface DescriptorFileProblem extends FileRange {
  /** A clause without a full stop. */
  readonly what: string;
  /** A descriptor of the project says something else than the registry. */
  readonly mayBeMeant: boolean;
}

/**
 * Returns what is wrong with descriptors, and which disagree. The files of a registry have no problems: they are not those of
 * the person.
 *
 * @param found - In the order in which they count.
 */
export async function descriptorProblems(
  found: readonly (DescriptorSource & Found)[],
  tops: readonly string[],
  files: Files,
): Promise<DescriptorProblems> {
  const conflicts = descriptorConflicts(found.map(({ table }) => table)).filter(
    ({ first }) => found[first.list]?.from !== "registry",
  );
  const disagree = await Promise.all(conflicts.map((one) => disagreement(one, found, tops, files)));
  const ofHeader = found.flatMap((source, list): readonly DescriptorProblem[] => {
    if (source.from !== "header") return [];
    const theirs = disagree.flatMap((one) => (one.list === list ? [one.problem.what] : []));
    const [first, ...rest] = [...source.faults.map((one) => faultOf(source, one)), ...theirs];
    const more = rest.length === 0 ? "" : ` (and ${plural(rest.length, "more problem", "more problems")})`;
    return first === undefined ? [] : [{ path: source.path, what: `${first}${more}` }];
  });
  const faults = found.flatMap((source) => (source.from === "registry" ? [] : source.faults));
  const broken = faults.flatMap(({ uri, what, place }) => (place ? [{ uri, what, ...place, mayBeMeant: false }] : []));
  return { ofHeader, ofFiles: [...broken, ...disagree.map(({ problem }) => problem)] };
}

/** Says what is wrong with a file, for a person who sees the path of its source. */
export function faultOf({ uri }: DescriptorSource, { uri: file, what, place }: FileFault): string {
  const where = [
    ...(uri === undefined || file === uri ? [] : [pathInside(file, [uri], {})]),
    ...(place && place.start.line > 1 ? [`line ${place.start.line}`] : []),
  ];
  return where.length === 0 ? what : `${where.join(", ")}: ${what}`;
}

/** Returns the problem of two that disagree, at the one that does not count, or at the one that the person can change. */
async function disagreement(
  { first, second, chainId, address }: DescriptorConflict,
  sources: readonly DescriptorSource[],
  tops: readonly string[],
  files: Files,
): Promise<{ readonly list: number; readonly problem: DescriptorFileProblem }> {
  const [firstPlaced, secondPlaced] = await Promise.all([placed(first, tops, files), placed(second, tops, files)]);
  const what = `${firstPlaced.shown} and ${secondPlaced.shown} disagree about \`${second.key}\` of ${address} on chain ${chainId}, and the first one counts`;
  const mayBeMeant = sources[second.list]?.from === "registry";
  const [{ list, uri }, { place }] = mayBeMeant ? [first, firstPlaced] : [second, secondPlaced];
  return { list, problem: { uri, what, ...place, mayBeMeant } };
}

/** Returns the file and the line of a place. What a descriptor includes has no line in it. */
async function placed({ uri, key }: DescriptorPlace, tops: readonly string[], files: Files) {
  const bytes = await files.read(uri).catch(() => undefined);
  const text = (bytes && decodeUtf8(bytes)) ?? "";
  const at = keySpan(text, key);
  const place = placeOf(text, at);
  return { place, shown: `\`${pathInside(uri, tops, files)}${at ? `:${place.start.line}` : ""}\`` };
}

/** A place where a descriptor says something. */
interface DescriptorPlace {
  /** The index of the list that it is in. */
  readonly list: number;
  readonly uri: string;
  /** A key of `display.formats`. */
  readonly key: string;
}

/** Two descriptors that say different things about one function of one contract. */
interface DescriptorConflict {
  readonly chainId: string;
  readonly address: string;
  /** This one counts. */
  readonly first: DescriptorPlace;
  readonly second: DescriptorPlace;
}

/** Finds descriptors that disagree: of two files, the first function that they disagree about. */
export function descriptorConflicts(lists: readonly DescriptorList[]): readonly DescriptorConflict[] {
  const firsts = new Map<string, readonly [list: number, at: number]>();
  const compared = new Set<string>();
  const conflicts = new Map<string, DescriptorConflict>();
  const descriptions = new Map<string, ReadonlyMap<string, Description>>();
  const descriptionOf = (list: number, at: number, hash: string): Description | undefined => {
    const all = descriptions.get(`${list} ${at}`) ?? descriptionsOf(lists, list, at);
    descriptions.set(`${list} ${at}`, all);
    return all.get(hash);
  };
  for (const [list, { entries }] of lists.entries())
    for (const [at, { kind, hashes, places }] of entries.entries())
      for (const [hash, place] of hashes.flatMap((one) => places.map((place) => [one, place] as const))) {
        const key = `${kind} ${place} ${hash}`;
        const before = firsts.get(key);
        if (!before) firsts.set(key, [list, at]);
        const pair = `${before} ${list} ${at} ${hash}`; // of many contracts, they say the same about each
        if (!before || compared.has(pair)) continue;
        compared.add(pair);
        const [first, second] = [descriptionOf(...before, hash), descriptionOf(list, at, hash)];
        const files = `${first?.uri} ${second?.uri}`;
        if (!first || !second || first.uri === second.uri || first.text === second.text || conflicts.has(files))
          continue;
        const [chainId = "", address = ""] = place.split(":");
        conflicts.set(files, { chainId, address, first, second });
      }
  return [...conflicts.values()];
}

/** A function in a descriptor, and a text that differs if the descriptor says something else about it. */
interface Description extends DescriptorPlace {
  readonly text: string;
}

/** @returns By the hashes of the functions. */
function descriptionsOf(lists: readonly DescriptorList[], list: number, at: number): ReadonlyMap<string, Description> {
  const { uri = "", kind = "call" } = lists[list]?.entries[at] ?? {};
  const { display, metadata } = lists[list]?.bodyOf(at) ?? {};
  const shared = JSON.stringify([display?.definitions, metadata]);
  const descriptions = new Map<string, Description>();
  for (const [key, format] of Object.entries(display?.formats ?? {})) {
    const hash = descriptorHash(kind, key) ?? "";
    const own = JSON.stringify([key, format]);
    if (!descriptions.has(hash))
      descriptions.set(hash, { list, uri, key, text: `${own}${own.includes('"$.') ? shared : ""}` });
  }
  return descriptions;
}
