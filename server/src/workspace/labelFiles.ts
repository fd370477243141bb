import type { ProjectAbis } from "../analysis/scope.ts";
import { isAddress, passesForAddress } from "../base/hex.ts";
import { isObject, parseJson } from "../base/json.ts";
import { memoByObject, memoByPair } from "../base/memo.ts";
import { decodeUtf8 } from "../base/text.ts";
import { foldersAbove } from "../base/uri.ts";
import type { Labels } from "../report/shown.ts";
import { DocumentCache } from "./documentCache.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import { filesAround, maxFileBytes } from "./projectFiles.ts";

/** An object of addresses and names, in the folder of a file or above it. */
const labelsFile = "rpc-labels.json";
const noLabels: Labels = new Map();

/** The names of addresses that files beside a document have, and those above it. The nearest file wins. */
export class LabelFiles {
  readonly #host: WorkspaceHost;
  readonly #filesAround: ReturnType<typeof filesAround>;
  readonly #labels: DocumentCache<Labels>;

  constructor(host: WorkspaceHost) {
    this.#host = host;
    this.#filesAround = filesAround(host);
    this.#labels = new DocumentCache(noLabels, { changed: host.changed, isSame: haveSameLabels });
  }

  /** Reads for a newly opened document, in the background. */
  follow({ uri }: Document): void {
    if (!this.#labels.has(uri) && !this.#labels.firstReading(uri)) void this.#refresh(uri);
  }
  /** Reads again for the open documents, and forgets all other files, which are never closed. */
  refreshAll(documents: readonly Document[]): void {
    this.#labels.forgetOthers(new Set(documents.map(({ uri }) => uri)));
    for (const { uri } of documents) void this.#refresh(uri);
  }
  /** Returns what was read last. The same object for as long as nothing changes. */
  of(uri: string): Labels {
    return this.#labels.of(uri);
  }
  /** Reads only if this was not done. */
  async ready(uri: string): Promise<Labels> {
    if (this.#labels.has(uri)) return this.#labels.of(uri);
    return this.#labels.firstReading(uri) ?? this.#refresh(uri);
  }
  /** Resolves when nothing is being read for the document. */
  settled(uri: string): Promise<void> {
    return this.#labels.settled(uri);
  }
  forget(uri: string): void {
    this.#labels.forget(uri);
  }

  #refresh(uri: string): Promise<Labels> {
    return this.#labels.refresh(uri, () => this.#read(uri));
  }
  async #read(uri: string): Promise<Labels> {
    const { trusted, roots } = this.#host;
    if (!trusted) return noLabels;
    const files = this.#filesAround(uri);
    const read = async (folder: string): Promise<readonly (readonly [string, string])[]> =>
      labelsIn(await files.read(`${folder}/${labelsFile}`).catch(() => undefined));
    const entries = await Promise.all(foldersAbove(uri, roots, files).map(read));
    return new Map(entries.toReversed().flat());
  }
}

/** Names of files around a document, with those of contracts that were looked up: the files win. */
export const withContractNames = memoByPair(
  (labels: Labels, { names }: ProjectAbis): Labels =>
    names?.size ? new Map([...[...names].filter(([, name]) => !passesForAddress(name)), ...labels]) : labels,
);

/** Returns the names that can be used: others are left out. */
function labelsIn(bytes: Uint8Array | undefined): readonly (readonly [string, string])[] {
  const text = bytes && bytes.length <= maxFileBytes ? decodeUtf8(bytes) : undefined;
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([address, name]) =>
    isAddress(address) && typeof name === "string" && name.trim() !== "" && !passesForAddress(name)
      ? [[address.toLowerCase(), name] as const]
      : [],
  );
}

const written = memoByObject((labels: Labels) => JSON.stringify([...labels]));

function haveSameLabels(one: Labels, other: Labels): boolean {
  return written(one) === written(other);
}
