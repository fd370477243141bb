import { type AddressOfKey, loadedAddressOfKey, loadKeysOfAddresses, mayHoldKeys } from "../abi/address.ts";
import { withinTime } from "../base/deadline.ts";
import type { Mask } from "../base/mask.ts";
import { memoByObject } from "../base/memo.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Settings } from "../protocol/settings.ts";
import type { Replays } from "../recording/replays.ts";
import { DocumentCache } from "./documentCache.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import { type KnownContracts, openKnownContracts } from "./knownContracts.ts";
import { LabelFiles } from "./labelFiles.ts";
import { OpenrpcCatalogs } from "./openrpcCatalogs.ts";
import { ProjectContracts } from "./projectContracts.ts";
import { ProjectDescriptors } from "./projectDescriptors.ts";
import { RememberedContracts } from "./rememberedContracts.ts";
import { Routes } from "./routes.ts";
import type { SignatureTable } from "./signatures.ts";

/** Everything that documents get from the files and settings around them. */
export class WorkspaceData {
  readonly routes: Routes;
  readonly catalogs: OpenrpcCatalogs;
  readonly contracts: ProjectContracts;
  readonly knownContracts: KnownContracts;
  readonly labelFiles: LabelFiles;
  readonly descriptors: ProjectDescriptors;
  readonly keyAddresses: KeyAddresses;
  readonly #host: WorkspaceHost;

  constructor(host: WorkspaceHost, mask: Mask, signatures: SignatureTable, replays: Replays) {
    this.#host = host;
    this.routes = new Routes(host, mask, replays);
    this.catalogs = new OpenrpcCatalogs(host);
    this.knownContracts = openKnownContracts(host.cache, host.clock, host.log);
    const remembered = new RememberedContracts(
      (uri) => host.changed(uri),
      host.consent,
      this.routes,
      this.knownContracts,
    );
    this.contracts = new ProjectContracts(host, signatures, remembered);
    this.labelFiles = new LabelFiles(host);
    this.descriptors = new ProjectDescriptors(host);
    this.keyAddresses = new KeyAddresses(host);
  }

  /** Reads what a new document, or a new version of one, needs. */
  follow(document: Document): void {
    for (const part of this.#parts) part.follow(document);
  }
  forget(uri: string): void {
    for (const part of this.#parts) part.forget(uri);
  }
  /** Resolves when everything for the document has been read. */
  async settled(uri: string): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.settled(uri)));
  }
  /**
   * Waits for the endpoints of a newly opened document.
   *
   * @returns `undefined` if they were read; else whether they were read in time.
   */
  opening(uri: string): Promise<boolean> | undefined {
    const reading = this.routes.firstReading(uri)?.then(() => true);
    return reading && withinTime(reading, maxWaitMs, this.#host.clock).then(Boolean);
  }
  trust(documents: readonly Document[]): void {
    this.#host.trusted = true;
    this.#refreshAll(documents);
    this.contracts.workspaceChanged(documents);
  }
  /** @param roots - URIs of the workspace folders from now on. */
  setRoots(roots: readonly string[], documents: readonly Document[]): void {
    this.#host.roots = roots;
    this.#refreshAll(documents);
    this.contracts.workspaceChanged(documents);
  }
  configure(settings: Settings, documents: readonly Document[]): void {
    this.#host.settings = settings;
    this.#refreshAll(documents);
    this.contracts.filesChanged(documents);
  }

  #refreshAll(documents: readonly Document[]): void {
    this.routes.refreshAll(documents);
    this.labelFiles.refreshAll(documents);
    for (const document of documents) for (const part of [this.catalogs, this.descriptors]) part.refresh(document);
  }

  get #parts() {
    return [this.routes, this.catalogs, this.contracts, this.labelFiles, this.descriptors, this.keyAddresses] as const;
  }
}

/** Milliseconds that the first answers for a document wait for its endpoints. */
const maxWaitMs = 1_000;

/** The code that finds the private key of an address, for documents that may have both in a cell. */
class KeyAddresses {
  readonly #needed: DocumentCache<AddressOfKey | undefined>;

  constructor({ changed }: WorkspaceHost) {
    this.#needed = new DocumentCache<AddressOfKey | undefined>(undefined, { changed, isSame: Object.is });
  }

  follow({ uri, header, cells }: Document): void {
    const cell = [...(header ? [header] : []), ...cells].find(mayHoldKeysOfAddresses);
    if (cell) this.#needed.follow(uri, "needed", () => load(cell));
  }
  /** Returns the code once it has been loaded for the document. */
  of(uri: string): AddressOfKey | undefined {
    return this.#needed.of(uri);
  }
  settled(uri: string): Promise<void> {
    return this.#needed.settled(uri);
  }
  forget(uri: string): void {
    this.#needed.forget(uri);
  }
}

const mayHoldKeysOfAddresses = memoByObject(({ text }: Cell) => mayHoldKeys(text));

async function load({ text }: Cell): Promise<AddressOfKey | undefined> {
  await loadKeysOfAddresses(text);
  return loadedAddressOfKey();
}
