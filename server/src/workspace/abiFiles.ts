import { artifact, strangeTypeIn } from "../abi/artifact.ts";
import { storageLayouts } from "../abi/storageLayout.ts";
import { abiEntries } from "../analysis/abiEntries.ts";
import type { AbiFile } from "../analysis/scope.ts";
import { parseJson } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { isUntitled, type NameRules, pathInside } from "../base/uri.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import { projectOf } from "./project.ts";
import {
  maxFileBytes,
  type ProjectFiles,
  type ProjectPath,
  pathFault,
  projectPath,
  slashHint,
} from "./projectFiles.ts";

/**
 * Reads the ABI files that a notebook names.
 *
 * @param paths - As the notebook has them.
 */
export async function readAbiFiles(
  notebook: string,
  paths: readonly string[],
  host: Pick<WorkspaceHost, "roots" | "files">,
  files: ProjectFiles<AbiFile>,
): Promise<ReadonlyMap<string, AbiFile>> {
  const { folders, tops } = projectOf(notebook, host);
  const base = isUntitled(notebook) ? `${folders[0] ?? ""}/` : notebook;
  const read = paths.map(async (path) => {
    const file = projectPath(path, base, tops, host.files);
    return [path, await files.read(file, (bytes) => abiFile(file, bytes, tops, host.files))] as const;
  });
  return new Map(await Promise.all(read));
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
