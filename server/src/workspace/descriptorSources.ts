import { type DescriptorEntry, type DescriptorFile, entryOf, withIncluded } from "../abi/descriptors.ts";
import { isObject, type JsonValue, parseJson } from "../base/json.ts";
import type { Files } from "../base/ports.ts";
import { decodeUtf8 } from "../base/text.ts";
import { childUri, fileName, isInside, resolvePath } from "../base/uri.ts";
import { maxFileBytes } from "./projectFiles.ts";

/** A file of a folder with descriptors. */
export interface FoundFile {
  readonly uri: string;
  /** Another one for every change; `undefined` if the host does not tell versions apart. */
  readonly version: string | undefined;
}

/** What was read of a file or a folder. */
export interface ReadDescriptors {
  readonly entries: readonly DescriptorEntry[];
  /** What is wrong with files, as clauses. */
  readonly faults: readonly { readonly uri: string; readonly what: string }[];
}

const maxFiles = 5_000;
const maxDepth = 8;
/** Descriptors that include each other. */
const maxIncludes = 8;
/** Levels of a descriptor; the library reads them recursively. */
const maxNesting = 40;
/** Files that are read at once. */
const atOnce = 20;

/** Lists the descriptors of a folder: of a registry those in its `registry` folder. */
export async function descriptorFilesIn(folder: string, files: Files): Promise<readonly FoundFile[] | undefined> {
  const top = await files.list?.(folder, false).catch(() => undefined);
  if (!top) return undefined;
  const isRegistry = top.some(({ name, kind }) => name === "registry" && kind === "folder");
  const found: FoundFile[] = [];
  let level = [isRegistry ? childUri(folder, "registry") : folder];
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

/**
 * Reads descriptors with all that they include.
 *
 * @param tops - Folders outside of which nothing is read.
 * @param isAll - Whether each file must be a descriptor. Of a folder, other JSON is left out.
 */
export async function readDescriptors(
  uris: readonly string[],
  tops: readonly string[],
  files: Pick<Files, "read">,
  isAll: boolean,
): Promise<ReadDescriptors> {
  const entries: DescriptorEntry[] = [];
  const faults: { uri: string; what: string }[] = [];
  for (let at = 0; at < uris.length; at += atOnce) {
    const read = uris
      .slice(at, at + atOnce)
      .map(async (uri) => ({ uri, found: await readOne(uri, tops, files, isAll) }));
    for (const { uri, found } of await Promise.all(read)) {
      if (typeof found === "string") faults.push({ uri, what: found });
      else if (found) entries.push(found);
    }
  }
  return { entries, faults };
}

async function readOne(
  uri: string,
  tops: readonly string[],
  files: Pick<Files, "read">,
  isAll: boolean,
): Promise<DescriptorEntry | string | undefined> {
  const own = await jsonOf(uri, files);
  if (typeof own === "string") return own;
  if (!isAll && own.context === undefined && own.includes === undefined) return undefined;
  const whole = await withAllIncluded(own, uri, tops, files, [uri]);
  if (typeof whole === "string") return whole;
  const entity = /\/registry\/([^/]+)\/[^/]+$/.exec(uri)?.[1] ?? fileName(uri);
  const entry = entryOf(whole, entity, uri);
  return typeof entry === "string" && !isAll ? undefined : entry;
}

async function withAllIncluded(
  own: DescriptorFile,
  uri: string,
  tops: readonly string[],
  files: Pick<Files, "read">,
  seen: readonly string[],
): Promise<DescriptorFile | string> {
  const { includes } = own;
  if (includes === undefined) return own;
  if (typeof includes !== "string") return "`includes` is not a path";
  const included = resolvePath(includes, uri);
  if (included === undefined || !isInside(included, tops)) return `\`includes\` leads out of the folder: ${includes}`;
  if (seen.includes(included)) return "it includes itself";
  if (seen.length > maxIncludes) return `it includes more than ${maxIncludes} files, one inside the other`;
  const read = await jsonOf(included, files);
  if (typeof read === "string") return `${includes}: ${read}`;
  const whole = await withAllIncluded(read, included, tops, files, [...seen, included]);
  if (typeof whole === "string") return whole;
  return withIncluded(own, whole);
}

/** @returns Why there is no descriptor, as a clause. */
async function jsonOf(uri: string, files: Pick<Files, "read">): Promise<DescriptorFile | string> {
  const bytes = await files.read(uri).catch(() => undefined);
  const text = bytes && bytes.length <= maxFileBytes ? decodeUtf8(bytes) : undefined;
  if (text === undefined) return "there is no such file, or it is larger than 10 MB or not UTF-8";
  if (parseJson(text) === undefined) return "it is not JSON";
  const value: JsonValue = JSON.parse(text); // numbers as the library has them
  if (!isObject(value)) return "it is not an ERC-7730 descriptor";
  if (depthOf(value) > maxNesting) return `it has more than ${maxNesting} levels`;
  return value as DescriptorFile; // the library takes what fits, and entryOf looks at the rest
}

function depthOf(value: JsonValue): number {
  let depth = 0;
  for (let level: readonly JsonValue[] = [value]; level.length > 0 && depth <= maxNesting; depth++)
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  return depth;
}
