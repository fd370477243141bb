import { artifact, strangeTypeIn } from "../abi/artifact.ts";
import { storageLayouts } from "../abi/storageLayout.ts";
import { abiEntries } from "../analysis/abi.ts";
import type { AbiFile, ProjectAbis } from "../analysis/scope.ts";
import { withinTime } from "../base/deadline.ts";
import { parseJson } from "../base/json.ts";
import { memoByPair } from "../base/memo.ts";
import { oneLine } from "../base/text.ts";
import { isUntitled, type NameRules, pathInside } from "../base/uri.ts";
import type { Cell } from "../notebook/cell.ts";
import { ContractFiles } from "./contractFiles.ts";
import { DocumentCache } from "./documentCache.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import {
  maxFileBytes,
  ProjectFiles,
  type ProjectPath,
  pathFault,
  projectOf,
  projectPath,
  slashHint,
} from "./projectFiles.ts";
import type { Remembered, RememberedContracts } from "./rememberedContracts.ts";
import type { SignatureTable } from "./signatures.ts";

type WorkspaceContracts = Pick<ProjectAbis, "contracts" | "creatables" | "layouts" | "names">;

/** The ABIs of a document that are not written in it: files that it names, and contracts of the workspace. */
export class ProjectContracts {
  readonly #host: WorkspaceHost;
  readonly #signatures: SignatureTable;
  readonly #abiFiles: ProjectFiles<AbiFile>;
  readonly #contractFiles: ContractFiles;
  /** By the path as the notebook has it. */
  readonly #files: DocumentCache<ReadonlyMap<string, AbiFile>>;
  readonly #contracts: DocumentCache<WorkspaceContracts>;
  /** The files that each document names, as of its last change. */
  readonly #named = new Map<string, NamedFiles>();
  /** URIs of documents for which contracts of the workspace were wanted. */
  readonly #wanting = new Set<string>();
  readonly #abis = new Map<string, ProjectAbis>();
  readonly #remembered: RememberedContracts;
  readonly #logged = new Set<string>();

  constructor(host: WorkspaceHost, signatures: SignatureTable, remembered: RememberedContracts) {
    this.#host = host;
    this.#remembered = remembered;
    this.#signatures = signatures;
    this.#abiFiles = new ProjectFiles(host);
    this.#contractFiles = new ContractFiles(host);
    const { changed } = host;
    this.#files = new DocumentCache(new Map(), { changed, isSame: haveSameFiles });
    this.#contracts = new DocumentCache(noContracts, {
      changed,
      isSame: (last, { contracts, layouts }) => last.contracts === contracts && last.layouts === layouts,
    });
  }

  /** Reads the files that the document names, in the background. */
  follow(document: Document): void {
    const { uri, header, cells } = document;
    this.#remembered.follow(document);
    const last = this.#named.get(uri);
    if (last && last.header === header && last.cells === cells) return;
    const paths = last && namesSameAbiFiles(last, document) ? last.paths : abiPathsIn(document);
    this.#named.set(uri, { header, cells, paths });
    if (paths.join("\n") !== (last?.paths ?? []).join("\n")) this.#readFiles(uri);
  }
  /** Looks for contracts of the workspace, in the background, unless this was done. */
  want({ uri }: Document): void {
    if (this.#wanting.has(uri)) return;
    this.#wanting.add(uri);
    if (this.#host.trusted) this.#readContracts(uri);
    else this.#logOnce("info", "RPC Notebook does not look for contracts in a workspace that is not trusted.");
  }
  /** Reads the files and looks for contracts again. */
  refresh({ uri }: Document): void {
    this.#wanting.add(uri);
    this.#readAll(uri);
  }
  forget(uri: string): void {
    for (const state of [this.#named, this.#wanting, this.#abis]) state.delete(uri);
    for (const part of [this.#files, this.#contracts, this.#remembered]) part.forget(uri);
  }
  /** Resolves when nothing is being read for the document. */
  async settled(uri: string): Promise<void> {
    await Promise.all([this.#files, this.#contracts, this.#remembered].map((part) => part.settled(uri)));
  }
  /**
   * Returns what was read last, with what lookup hosts said earlier about contracts that the document names. The same object
   * for as long as nothing changes.
   */
  of({ uri }: { readonly uri: string }): ProjectAbis {
    return withRemembered(this.declared({ uri }), this.#remembered.of(uri));
  }
  /** Returns the files of contracts that lookup hosts described, on the chain of a document. */
  remembered({ uri }: { readonly uri: string }): ReturnType<RememberedContracts["filesFor"]> {
    return this.#remembered.filesFor(uri);
  }
  /** Returns what the project itself has. A run shows the others by the chain of each cell. */
  declared({ uri }: { readonly uri: string }): ProjectAbis {
    const files = this.#files.of(uri);
    const contracts = this.#contracts.of(uri);
    const last = this.#abis.get(uri);
    if (last?.files === files && last.contracts === contracts.contracts && last.layouts === contracts.layouts)
      return this.#signatures.with(last);
    const abis = { files, ...contracts };
    this.#abis.set(uri, abis);
    return this.#signatures.with(abis);
  }
  /** Waits for the first search for contracts, for at most a second. `undefined` if none is running. */
  firstSearch(): Promise<unknown> | undefined {
    const searches = this.#contracts.firstReadings();
    if (searches.length === 0) return undefined;
    return withinTime(Promise.all(searches), maxWaitMs, this.#host.clock);
  }
  /** Reads again, because files may have changed. */
  filesChanged(documents: Iterable<Document>): void {
    this.#contractFiles.mayHaveChanged();
    this.workspaceChanged(documents);
  }
  /** Reads again, because the workspace is trusted now or has other folders. */
  workspaceChanged(documents: Iterable<Document>): void {
    for (const { uri } of documents) this.#readAll(uri);
  }

  #readAll(uri: string): void {
    this.#readFiles(uri);
    if (this.#wanting.has(uri) && this.#host.trusted) this.#readContracts(uri);
  }
  #readFiles(uri: string): void {
    const paths = this.#named.get(uri)?.paths ?? [];
    if (this.#host.trusted)
      void this.#files.refresh(uri, () =>
        readAbiFiles(uri, paths, this.#host, this.#abiFiles).catch((error) => this.#failed(error, this.#files.of(uri))),
      );
    else this.#files.set(uri, new Map(paths.map((path) => [path, untrusted])));
  }
  #readContracts(uri: string): void {
    void this.#contracts.refresh(uri, async () => {
      try {
        const { items, creatables, layouts, names, warning } = await this.#contractFiles.find(
          projectOf(uri, this.#host),
        );
        if (warning !== undefined) this.#logOnce("warn", warning);
        return { contracts: items, creatables, layouts, names };
      } catch (error) {
        return this.#failed(error, this.#contracts.of(uri));
      }
    });
  }
  #failed<Value>(error: unknown, last: Value): Value {
    this.#host.log.error("The ABIs of the project could not be read", error);
    return last;
  }
  #logOnce(level: "info" | "warn", message: string): void {
    if (!this.#logged.has(message)) this.#host.log[level](message);
    this.#logged.add(message);
  }
}

/** The project counts before what lookup hosts said. */
const withRemembered = memoByPair((abis: ProjectAbis, remembered: Remembered): ProjectAbis => {
  if (remembered.answers.length === 0) return abis;
  const { contracts, layouts = [], names = [] } = abis;
  return {
    ...abis,
    contracts: [...contracts, ...remembered.items],
    layouts: [...layouts, ...remembered.layouts],
    names: new Map([...remembered.names, ...names]),
  };
});

/** What may name files. */
interface NamingCells {
  readonly header: Cell | undefined;
  readonly cells: readonly Cell[];
}

interface NamedFiles extends NamingCells {
  /** The paths as they are written, each once. */
  readonly paths: readonly string[];
}

const noContracts: WorkspaceContracts = { contracts: [] };
const untrusted: AbiFile = { items: [], fault: "untrusted" };

/** Milliseconds that an answer waits for contracts. It is asked for again when they were found. */
const maxWaitMs = 1_000;

function haveSameFiles(one: ReadonlyMap<string, AbiFile>, other: ReadonlyMap<string, AbiFile>): boolean {
  return one.size === other.size && [...other].every(([path, file]) => one.get(path) === file);
}

/**
 * Reads the ABI files that a notebook names.
 *
 * @param paths - As the notebook has them.
 */
async function readAbiFiles(
  notebook: string,
  paths: readonly string[],
  host: WorkspaceHost,
  files: ProjectFiles<AbiFile>,
): Promise<ReadonlyMap<string, AbiFile>> {
  const { folders, tops } = projectOf(notebook, host);
  const base = isUntitled(notebook) ? `${folders[0] ?? ""}/` : notebook;
  const read = paths.map(async (path) => {
    const file = projectPath(path, base, tops, host.files);
    return [path, await files.read(file, (source, bytes) => abiFile(source, bytes, tops, host.files))] as const;
  });
  return new Map(await Promise.all(read));
}

/** Files that one notebook may name. */
const maxPaths = 200;

/** Returns the paths of the ABI files that a document names, as they are written, each once. */
function abiPathsIn({ header, cells }: NamingCells): readonly string[] {
  const paths = new Set((header ? [header, ...cells] : cells).flatMap(abiPathsOf));
  return [...paths].slice(0, maxPaths);
}

/** Whether only cells that name no file have changed. */
function namesSameAbiFiles(before: NamingCells, { header, cells }: NamingCells): boolean {
  if (before.header !== header || before.cells.length !== cells.length) return false;
  return cells.every((cell, index) => {
    const last = before.cells[index];
    return cell === last || (abiPathsOf(cell).length === 0 && (!last || abiPathsOf(last).length === 0));
  });
}

function abiPathsOf(cell: Cell): readonly string[] {
  return abiEntries(cell).flatMap(({ found }) => (found.kind === "file" ? found.path : []));
}

function abiFile(path: ProjectPath, bytes: Uint8Array | undefined, tops: readonly string[], names: NameRules): AbiFile {
  const fault = pathFault(path, "the notebook");
  if (fault !== undefined) return faulty(fault);
  if (!bytes) return faulty(`there is no such file, or it cannot be read${slashHint(path.path)}`);
  if (bytes.length > maxFileBytes) return faulty("it is larger than 10 MB");
  const json = parseJson(new TextDecoder().decode(bytes));
  if (json === undefined) return faulty("it is not JSON");
  const source = pathInside(path.uri ?? "", tops, names);
  const contents = artifact(json, source);
  const layouts = storageLayouts(json, source);
  if (contents || layouts.length > 0)
    return { items: contents?.items ?? [], creatables: contents?.creatables ?? [], layouts, fault: undefined };
  const strange = strangeTypeIn(json);
  return faulty(strange === undefined ? "it contains no ABI" : `\`${oneLine(strange, 60)}\` is not a type of the ABI`);
}

function faulty(what: string): AbiFile {
  return { items: [], fault: { what } };
}
