import { artifact, strangeTypeIn } from "../abi/artifact.ts";
import { abiEntries } from "../analysis/abiEntries.ts";
import type { AbiFile, ProjectAbis } from "../analysis/scope.ts";
import { parseJson } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { foldersAbove } from "../endpoints/known.ts";
import type { Cell } from "../notebook/cell.ts";
import { isInside, openContractFiles, type Project, sourceOf } from "./contractFiles.ts";
import type { Document } from "./documents.ts";
import type { Host } from "./host.ts";
import { fileAt } from "./openrpcCatalogs.ts";
import type { SignatureTable } from "./signatures.ts";

/** Which ABIs there are for a document beyond those that stand in it: files that it names, and contracts of the workspace. */
export interface ProjectContracts {
  /** Reads the files that its header and its cells name, in the background. */
  follow(document: Document): void;
  /** Looks for contracts of the workspace, in the background, unless that has been done. */
  need(document: Document): void;
  /** Reads and looks again. */
  refresh(document: Document): void;
  forget(uri: string): void;
  /** Resolves when nothing is being read for the document any more. */
  settled(uri: string): Promise<void>;
  /** What was read last. The same object for as long as nothing changes. */
  known(document: Document): ProjectAbis;
  /** Waits for the first search for contracts, for at most a second. `undefined` if none is running. */
  firstSearch(): Promise<void> | undefined;
  trust(documents: Iterable<Document>): void;
  /** Files may have changed. */
  changed(documents: Iterable<Document>): void;
}

interface FollowedDocument {
  readonly header: Document["header"];
  readonly cells: Document["cells"];
  readonly paths: readonly string[];
}

const nothing: ProjectAbis = { files: new Map(), contracts: [] };

export function openContracts(host: Host, signatures: SignatureTable): ProjectContracts {
  let { trusted } = host;
  const followed = new Map<string, FollowedDocument>();
  const known = new Map<string, ProjectAbis>();
  const needed = new Set<string>();
  const reading = new Map<string, Promise<void>>();
  /** Those of {@link reading} that look for contracts for the first time. */
  const first = new Set<Promise<void>>();
  const contractFiles = openContractFiles(host);
  const readFile = openAbiFiles(host);
  const said = new Set<string>();

  const inWorkspace = async (document: Document): Promise<Pick<ProjectAbis, "contracts" | "creatables">> => {
    const { items, creatables, warning } = await contractFiles.look(projectOf(document, host));
    if (warning !== undefined && !said.has(warning)) host.log.warn(warning);
    said.add(warning ?? "");
    return { contracts: items, creatables };
  };
  const read = async (document: Document, withContracts: boolean): Promise<ProjectAbis> => {
    const project = projectOf(document, host);
    const paths = followed.get(document.uri)?.paths ?? [];
    const named = paths.map(async (path) => [path, await readFile(path, document.uri, project)] as const);
    const { contracts, creatables } = withContracts
      ? await inWorkspace(document)
      : (known.get(document.uri) ?? nothing);
    return { files: new Map(await Promise.all(named)), contracts, ...(creatables && { creatables }) };
  };
  const keep = (uri: string, found: ProjectAbis): void => {
    if (haveSameAbis(known.get(uri) ?? nothing, found)) return;
    known.set(uri, found);
    host.changed(uri);
  };
  const look = (document: Document, withContracts: boolean): void => {
    const { uri } = document;
    const paths = followed.get(uri)?.paths ?? [];
    if (!trusted) {
      keep(uri, { ...nothing, files: new Map(paths.map((path) => [path, untrusted])) });
      return;
    }
    const looking = (reading.get(uri) ?? Promise.resolve()) // one after the other, so that the last one counts
      .then(() => read(document, withContracts))
      .then((found) => {
        if (reading.get(uri) !== undefined) keep(uri, found);
      })
      .catch((error: unknown) => host.log.error("The ABIs of the project could not be read", error))
      .then(() => {
        if (reading.get(uri) === looking) reading.delete(uri);
      });
    reading.set(uri, looking);
  };
  const lookAgain = (documents: Iterable<Document>): void => {
    for (const document of documents) look(document, needed.has(document.uri));
  };

  return {
    follow(document) {
      const { uri, header, cells } = document;
      const last = followed.get(uri);
      if (last && last.header === header && last.cells === cells) return;
      const paths = last && namesTheSame(last, document) ? last.paths : pathsIn(document);
      followed.set(uri, { header, cells, paths });
      if (paths !== last?.paths && paths.join("\n") !== (last?.paths ?? []).join("\n")) look(document, false);
    },
    need(document) {
      if (needed.has(document.uri)) return;
      needed.add(document.uri);
      if (!trusted && !said.has(notLookedFor)) host.log.info(notLookedFor);
      if (!trusted) said.add(notLookedFor);
      look(document, true);
      const looking = reading.get(document.uri);
      if (!looking) return;
      first.add(looking);
      void looking.then(() => first.delete(looking));
    },
    refresh(document) {
      needed.add(document.uri);
      look(document, true);
    },
    forget(uri) {
      for (const map of [followed, known, needed, reading]) map.delete(uri);
    },
    async settled(uri) {
      while (reading.has(uri)) await reading.get(uri);
    },
    known: ({ uri }) => signatures.with(known.get(uri) ?? nothing),
    firstSearch() {
      if (first.size === 0) return undefined;
      const patience = new AbortController();
      return Promise.race([Promise.all(first), host.clock.sleep(mostPatience, patience.signal)]).then(() =>
        patience.abort(),
      );
    },
    trust(documents) {
      trusted = true;
      lookAgain(documents);
    },
    changed(documents) {
      contractFiles.mayHaveChanged();
      lookAgain(documents);
    },
  };
}

const notLookedFor = "Contracts of the workspace are not looked for, because it is not trusted.";
const untrusted: AbiFile = { items: [], fault: "untrusted" };

function haveSameAbis(one: ProjectAbis, other: ProjectAbis): boolean {
  if (one.contracts !== other.contracts || one.files.size !== other.files.size) return false;
  return [...other.files].every(([path, file]) => one.files.get(path) === file);
}

/** Milliseconds that an answer waits for contracts at most; it is asked for again when they are there. */
const mostPatience = 1_000;

/** Files that one notebook may name. */
const mostPaths = 200;

/** As they are written, each once. */
function pathsIn({ header, cells }: Document): readonly string[] {
  const paths = new Set((header ? [header, ...cells] : cells).flatMap(pathsOf));
  return [...paths].slice(0, mostPaths);
}

function pathsOf(cell: Cell): readonly string[] {
  return abiEntries(cell).flatMap(({ found }) => (found.kind === "file" ? found.path : []));
}

/** Only insides of cells have changed, and of cells that name no file. */
function namesTheSame(before: FollowedDocument, { header, cells }: Document): boolean {
  if (before.header !== header || before.cells.length !== cells.length) return false;
  return cells.every((cell, at) => {
    const old = before.cells[at];
    return cell === old || (pathsOf(cell).length === 0 && (!old || pathsOf(old).length === 0));
  });
}

function projectOf({ uri }: Document, { roots }: Host): Project {
  const folders = foldersAbove(uri, roots);
  const tops = [...roots, ...folders.slice(-1)].map((top) => top.replace(/\/+$/, ""));
  return { folders, tops: [...new Set(tops)] };
}

const mostBytes = 10_000_000;

/** Reads the files that notebooks name; the same object for as long as one has the same bytes. */
function openAbiFiles({ files }: Host): (path: string, notebook: string, project: Project) => Promise<AbiFile> {
  const known = new Map<string, { readonly bytes: Uint8Array | undefined; readonly file: AbiFile }>();
  return async (path, notebook, project) => {
    // a notebook that is not saved yet has no folder
    const uri = fileAt(path, /^[a-z][\w+.-]*:\/\//i.test(notebook) ? notebook : `${project.folders[0] ?? ""}/`);
    const key = uri ?? `no file: ${path}`;
    const inside = uri !== undefined && isInside(uri, project);
    const bytes = inside ? await files.read(uri).catch(() => undefined) : undefined;
    const last = known.get(key);
    if (last && same(last.bytes, bytes)) return last.file;
    const file =
      uri === undefined
        ? faulty("a path from the folder of the notebook is due")
        : inside
          ? abiFile(bytes, sourceOf(uri, project))
          : faulty("it lies outside of the project, where no file is read");
    known.set(key, { bytes, file });
    return file;
  };
}

function same(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one?.length !== other?.length) return false;
  return one === undefined || one.every((byte, at) => byte === other?.[at]);
}

function abiFile(bytes: Uint8Array | undefined, source: string): AbiFile {
  if (!bytes) return faulty("there is no such file, or it cannot be read");
  if (bytes.length > mostBytes) return faulty("it is larger than 10 MB");
  const json = parseJson(new TextDecoder().decode(bytes));
  if (json === undefined) return faulty("it is not JSON");
  const found = artifact(json, source);
  if (found) return { items: found.items, creatables: found.creatables, fault: undefined };
  const strange = strangeTypeIn(json);
  return faulty(strange === undefined ? "no ABI is in it" : `\`${oneLine(strange, 60)}\` is not an ABI type`);
}

function faulty(what: string): AbiFile {
  return { items: [], fault: { what } };
}
