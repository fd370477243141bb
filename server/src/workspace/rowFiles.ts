import { decodeUtf8 } from "../base/text.ts";
import { isRowFile, type RowFile, readRowFile } from "../evaluate/rowFile.ts";
import type { ProjectHost } from "./host.ts";
import {
  maxFileBytes,
  type ProjectPath,
  pathFault,
  projectOf,
  projectPath,
  slashHint,
  withLinks,
} from "./projectFiles.ts";

/** Reads the files whose rows a document takes, each once. Those outside of its project are not read. */
export async function readRowFiles(
  paths: readonly string[],
  uri: string,
  host: ProjectHost,
): Promise<ReadonlyMap<string, RowFile>> {
  const { tops } = projectOf(uri, host);
  const read = async (path: string): Promise<readonly (readonly [string, RowFile])[]> => {
    const source = await withLinks(projectPath(path, uri, tops, host.files), host.files);
    const fault = pathFault(source, "the notebook");
    if (!isRowFile(path)) return fault === undefined ? [] : [[path, { fault }]]; // it may be no path at all
    const isReadable = source.uri !== undefined && source.isReadable;
    const bytes = isReadable ? await host.files.read(source.uri).catch(() => undefined) : undefined;
    return [[path, fileOf(source, bytes)]];
  };
  return new Map((await Promise.all([...new Set(paths)].map(read))).flat());
}

function fileOf(source: ProjectPath, bytes: Uint8Array | undefined): RowFile {
  const text = bytes && bytes.length <= maxFileBytes ? decodeUtf8(bytes) : undefined;
  if (text !== undefined) return readRowFile(source.path, text);
  const fault = pathFault(source, "the notebook");
  return { fault: fault ?? `there is no such file, or it is larger than 10 MB or not UTF-8${slashHint(source.path)}` };
}
