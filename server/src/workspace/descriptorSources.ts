import { formatFaults } from "../abi/descriptorFormats.ts";
import {
  badDeployment,
  type DescriptorEntry,
  type DescriptorFile,
  deploymentsOf,
  entryOf,
  withIncluded,
} from "../abi/descriptors.ts";
import { firstOf } from "../base/firstOf.ts";
import { isObject, type JsonValue, parseJson } from "../base/json.ts";
import { bracketBeyond } from "../base/jsonScan.ts";
import type { Files } from "../base/ports.ts";
import { type Span, span } from "../base/span.ts";
import { brief, decodeUtf8, type LineColumn, lineColumns } from "../base/text.ts";
import { childUri, fileName, isInside, resolvePath } from "../base/uri.ts";
import { readCell } from "../notebook/readCell.ts";
import { linkFault, slashHint } from "./projectFiles.ts";

/** A file of a folder with descriptors. */
export interface FoundFile {
  readonly uri: string;
  /** Another one for every change; `undefined` if the host does not tell versions apart. */
  readonly version: string | undefined;
}

/** What was read of a file or a folder. */
export interface ReadDescriptors {
  readonly entries: readonly DescriptorEntry[];
  readonly faults: readonly FileFault[];
  /** URIs of what they include. */
  readonly included: readonly string[];
}

/** What is wrong with a file. */
export interface FileFault {
  readonly uri: string;
  /** A clause without a full stop. */
  readonly what: string;
  /** Absent if there is no text. */
  readonly place?: { readonly start: LineColumn; readonly end: LineColumn };
}

const maxFiles = 5_000;
const maxDepth = 8;
/** Bytes of a descriptor. The largest of the registry has 0.3 MB. */
const maxFileBytes = 2_000_000;
/** Bytes of everything that is read of a source: a small file may include a large one. The registry has 3 MB. */
const maxBytes = 20_000_000;
/** Functions, each of one contract, of a source. The registry has 11,000. */
const maxFunctions = 200_000;
/** Descriptors that include each other. */
const maxIncludes = 8;
/** Levels of a descriptor; the library reads them recursively. */
const maxNesting = 40;
/** Items of a list; the library compares each with each. */
const maxItems = 1_000;
/** Faults of formats of a file. */
const maxFormatFaults = 50;
/** Files that are read at once. */
const atOnce = 20;

/** Lists the descriptors of a folder: of a registry those in `registry`, and in `ercs`, which they include. */
export async function descriptorFilesIn(folder: string, files: Files): Promise<readonly FoundFile[] | undefined> {
  const top = await files.list?.(folder, false).catch(() => undefined);
  if (!top) return undefined;
  const isRegistry = top.some(({ name, kind }) => name === "registry" && kind === "folder");
  const found: FoundFile[] = [];
  let level = isRegistry ? ["registry", "ercs"].map((name) => childUri(folder, name)) : [folder];
  for (let depth = 0; depth < maxDepth && level.length > 0 && found.length < maxFiles; depth++) {
    const lists = await Promise.all(
      level.map(async (uri) => ({ uri, entries: await files.list?.(uri).catch(() => []) })),
    );
    level = [];
    for (const { uri, entries = [] } of lists)
      for (const { name, kind, version } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (kind === "folder" && !ignoredFolders.test(name)) level.push(childUri(uri, name));
        if (kind === "file" && /\.json$/i.test(name)) found.push({ uri: childUri(uri, name), version });
      }
  }
  return found.slice(0, maxFiles);
}

/** Tests of descriptors, and signatures of auditors. */
const ignoredFolders = /^(?:\.|node_modules$|tests?(?:v\d+)?$|sigs$)/;

interface Reading {
  /** Nothing outside of these folders is read. */
  readonly tops: readonly string[];
  readonly files: Files;
  readonly included: Set<string>;
  bytesLeft: number;
  functionsLeft: number;
}

/**
 * Where files come from. A file that is named must be a descriptor; a folder may hold other JSON. The formats of a registry are
 * not checked.
 */
export type SourceKind = "file" | "folder" | "registry";

/**
 * Reads descriptors with all that they include.
 *
 * @param tops - Folders outside of which nothing is read.
 */
export async function readDescriptors(
  uris: readonly string[],
  tops: readonly string[],
  files: Files,
  kind: SourceKind,
): Promise<ReadDescriptors> {
  const entries: DescriptorEntry[] = [];
  const faults: FileFault[] = [];
  const reading: Reading = { tops, files, included: new Set(), bytesLeft: maxBytes, functionsLeft: maxFunctions };
  for (let at = 0; at < uris.length && reading.bytesLeft > 0; at += atOnce) {
    const read = uris.slice(at, at + atOnce).map((uri) => readOne(uri, reading, kind));
    for (const found of (await Promise.all(read)).flat()) {
      if ("what" in found) faults.push(found);
      else entries.push(found);
    }
  }
  return { entries, faults, included: [...reading.included] };
}

/** @returns The descriptor, and what is wrong with the file. */
async function readOne(
  uri: string,
  reading: Reading,
  kind: SourceKind,
): Promise<readonly (DescriptorEntry | FileFault)[]> {
  const isAll = kind === "file";
  const own = await jsonOf(uri, reading);
  if (!("value" in own)) return [{ uri, ...(!isAll && { place: placeOf("") }), ...own }]; // a folder has listed it
  const { text, value } = own;
  if (!isAll && value.context === undefined && value.includes === undefined) return [];
  const fault = (what: string, key?: string, after?: string): FileFault => {
    const span = keySpan(text, key, keySpan(text, after)?.end) ?? keySpan(text, after);
    return { uri, what, place: placeOf(text, span) };
  };
  const whole = await withAllIncluded(value, uri, reading, [uri]);
  if (typeof whole === "string") return [fault(whole, "includes")];
  const entity = /\/registry\/([^/]+)\/[^/]+$/.exec(uri)?.[1] ?? fileName(uri);
  const entry = entryOf(whole, entity, uri);
  if ("what" in entry) return entry.isPart && !isAll ? [] : [fault(entry.what, entry.key)];
  reading.functionsLeft -= entry.hashes.length * entry.places.length;
  if (reading.functionsLeft < 0) return [fault(`there are descriptors of more than ${maxFunctions} functions`)];
  if (kind === "registry") return [entry];
  const { all, places } = deploymentsOf(whole);
  const faults = [
    ...(places.length < all.length ? [badDeployment] : []),
    ...firstOf(formatFaults(entry.kind, whole), maxFormatFaults),
  ];
  return [entry, ...faults.map(({ what, key, after }) => fault(what, key, after))];
}

async function withAllIncluded(
  own: DescriptorFile,
  uri: string,
  reading: Reading,
  seen: readonly string[],
): Promise<DescriptorFile | string> {
  const { includes } = own;
  if (includes === undefined) return own;
  if (typeof includes !== "string") return "`includes` is not a path";
  const shown = `\`${brief(includes)}\``;
  const included = resolvePath(includes, uri);
  if (included === undefined || !isInside(included, reading.tops, reading.files))
    return `\`includes\` leads out of the folder: ${shown}`;
  if (seen.includes(included)) return "it includes itself";
  if (seen.length > maxIncludes) return `it includes more than ${maxIncludes} files, one inside the other`;
  reading.included.add(included);
  const read = await jsonOf(included, reading);
  if (!("value" in read)) return `${shown}: ${read.what}`;
  const whole = await withAllIncluded(read.value, included, reading, [...seen, included]);
  if (typeof whole === "string") return whole;
  return withIncluded(own, whole).catch(() => `it does not fit what it includes, ${shown}`);
}

interface Json {
  readonly text: string;
  readonly value: DescriptorFile;
}

async function jsonOf(uri: string, reading: Reading): Promise<Json | Omit<FileFault, "uri">> {
  if (await reading.files.leadsOut?.(uri, reading.tops)) return { what: linkFault };
  const bytes = await reading.files.read(uri).catch(() => undefined);
  reading.bytesLeft -= bytes?.length ?? 0;
  if (reading.bytesLeft < 0)
    return { what: `the files here have more than ${maxBytes / 1e6} MB, with what they include` };
  const text = bytes && bytes.length <= maxFileBytes ? decodeUtf8(bytes) : undefined;
  if (text === undefined)
    return {
      what: `there is no such file, or it is larger than ${maxFileBytes / 1e6} MB or not UTF-8${slashHint(uri)}`,
    };
  const fault = (what: string, at?: Span) => ({ what, place: placeOf(text, at) });
  const deep = bracketBeyond(text, maxNesting);
  if (deep !== undefined) return fault(`it has more than ${maxNesting} levels`, span(deep, deep + 1));
  if (parseJson(text) === undefined) {
    const [first] = readCell(text, "header").faults;
    return fault(`it is not JSON${first ? `: ${first.what}` : ""}`, first?.span);
  }
  const value: JsonValue = JSON.parse(text); // numbers as the library has them
  if (!isObject(value)) return fault("it is not an ERC-7730 descriptor");
  if (hasLongList(value)) return fault(`a list in it has more than ${maxItems} items`);
  return { text, value: value as DescriptorFile }; // the library takes what fits, and entryOf looks at the rest
}

/** @param value - With at most {@link maxNesting} levels. */
function hasLongList(value: JsonValue): boolean {
  if (Array.isArray(value) && value.length > maxItems) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongList);
}

/** Returns the first string with this text, from an offset on; `undefined` if what a file includes has it. */
export function keySpan(text: string, key: string | undefined, from = 0): Span | undefined {
  const written = key === undefined ? undefined : JSON.stringify(key);
  const at = written === undefined ? -1 : text.indexOf(written, from);
  return written === undefined || at < 0 ? undefined : span(at, at + written.length);
}

/** @param at - Absent for the whole file. */
export function placeOf(text: string, at: Span = span(0, 0)): NonNullable<FileFault["place"]> {
  const place = lineColumns(text);
  return { start: place(at.start), end: place(at.end) };
}
