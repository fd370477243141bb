import type { Files } from "../base/ports.ts";
import { decodeUtf8 } from "../base/text.ts";
import { type RowFile, readRowFile } from "../evaluate/rowFile.ts";
import type { WorkspaceHost } from "./host.ts";
import { maxFileBytes, type ProjectPath, pathFault, projectOf, projectPath, slashHint } from "./projectFiles.ts";

/** Reads the files whose rows a document takes, each once. Those outside of its project are not read. */
export async function readRowFiles(
  paths: readonly string[],
  uri: string,
  host: Pick<WorkspaceHost, "roots" | "files">,
): Promise<ReadonlyMap<string, RowFile>> {
  const { tops } = projectOf(uri, host);
  const read = async (path: string): Promise<readonly [string, RowFile]> => {
    const source = projectPath(path, uri, tops, host.files);
    const isReadable = source.uri !== undefined && source.isReadable;
    if (isReadable && (await leadsOut(source.uri, tops, host.files)))
      return [path, { fault: "a link leads out of the project; only files in the project are read" }];
    const bytes = isReadable ? await host.files.read(source.uri).catch(() => undefined) : undefined;
    return [path, fileOf(source, bytes)];
  };
  return new Map(await Promise.all([...new Set(paths)].map(read)));
}

/** Whether a link leads to a file outside of all folders of a project: what a repository links to is not its own to send. */
async function leadsOut(uri: string, tops: readonly string[], { writeFault }: Files): Promise<boolean> {
  const faults = await Promise.all(tops.map((top) => writeFault?.(uri, top)));
  return faults.length > 0 && faults.every((fault) => fault?.reason === "leads-out" || fault?.reason === "git");
}

function fileOf(source: ProjectPath, bytes: Uint8Array | undefined): RowFile {
  const text = bytes && bytes.length <= maxFileBytes ? decodeUtf8(bytes) : undefined;
  if (text !== undefined) return readRowFile(source.path, text);
  const fault = pathFault(source, "the notebook");
  return { fault: fault ?? `there is no such file, or it is larger than 10 MB or not UTF-8${slashHint(source.path)}` };
}
