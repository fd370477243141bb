import { artifact, strangeTypeIn } from "../abi/artifact.ts";
import { abiEntries } from "../analysis/abiEntries.ts";
import type { AbiFile } from "../analysis/scope.ts";
import { parseJson } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { isInside, isUntitled, pathInside, resolvePath } from "../base/uri.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Document } from "./documents.ts";
import type { Host } from "./host.ts";
import { type Project, projectOf } from "./project.ts";

/** Reads the ABI files that notebooks name. Returns the same object for as long as a file has the same bytes. */
export class AbiFiles {
  readonly #host: Pick<Host, "files" | "roots">;
  readonly #cache = new Map<string, { readonly bytes: Uint8Array | undefined; readonly file: AbiFile }>();

  constructor(host: Pick<Host, "files" | "roots">) {
    this.#host = host;
  }

  /** @param paths - As the notebook has them. */
  async read(notebook: string, paths: readonly string[]): Promise<ReadonlyMap<string, AbiFile>> {
    const project = projectOf(notebook, this.#host);
    const files = paths.map(async (path) => [path, await this.#readOne(path, notebook, project)] as const);
    return new Map(await Promise.all(files));
  }
  async #readOne(path: string, notebook: string, project: Project): Promise<AbiFile> {
    const uri = resolvePath(path, isUntitled(notebook) ? `${project.folders[0] ?? ""}/` : notebook);
    const isReadable = uri !== undefined && isInside(uri, project.tops);
    const bytes = isReadable ? await this.#host.files.read(uri).catch(() => undefined) : undefined;
    const key = uri ?? `no file: ${path}`;
    const last = this.#cache.get(key);
    if (last && equalBytes(last.bytes, bytes)) return last.file;
    const file =
      uri === undefined
        ? faulty("expected a relative path, from the folder of the notebook")
        : isReadable
          ? abiFile(bytes, pathInside(uri, project.tops))
          : faulty("it is outside of the project, where no file is read");
    this.#cache.set(key, { bytes, file });
    return file;
  }
}

/** Files that one notebook may name. */
const maxPaths = 200;

/** Returns the paths of the ABI files that a document names, as they are written, each once. */
export function abiPathsIn({ header, cells }: Pick<Document, "header" | "cells">): readonly string[] {
  const paths = new Set((header ? [header, ...cells] : cells).flatMap(abiPathsOf));
  return [...paths].slice(0, maxPaths);
}

/** Whether only cells that name no file have changed. */
export function namesSameAbiFiles(
  before: Pick<Document, "header" | "cells">,
  { header, cells }: Pick<Document, "header" | "cells">,
): boolean {
  if (before.header !== header || before.cells.length !== cells.length) return false;
  return cells.every((cell, index) => {
    const last = before.cells[index];
    return cell === last || (abiPathsOf(cell).length === 0 && (!last || abiPathsOf(last).length === 0));
  });
}

function abiPathsOf(cell: Cell): readonly string[] {
  return abiEntries(cell).flatMap(({ found }) => (found.kind === "file" ? found.path : []));
}

const maxFileBytes = 10_000_000;

function abiFile(bytes: Uint8Array | undefined, source: string): AbiFile {
  if (!bytes) return faulty("there is no such file, or it cannot be read");
  if (bytes.length > maxFileBytes) return faulty("it is larger than 10 MB");
  const json = parseJson(new TextDecoder().decode(bytes));
  if (json === undefined) return faulty("it is not JSON");
  const contents = artifact(json, source);
  if (contents) return { items: contents.items, creatables: contents.creatables, fault: undefined };
  const strange = strangeTypeIn(json);
  return faulty(strange === undefined ? "it contains no ABI" : `\`${oneLine(strange, 60)}\` is not a type of the ABI`);
}

function faulty(what: string): AbiFile {
  return { items: [], fault: { what } };
}

function equalBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one?.length !== other?.length) return false;
  return one === undefined || one.every((byte, at) => byte === other?.[at]);
}
