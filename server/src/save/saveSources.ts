import type { Explanation } from "../base/error.ts";
import type { Files } from "../base/ports.ts";
import { oneLine } from "../base/text.ts";
import { childUri, foldedName, isReservedOnWindows } from "../base/uri.ts";
import { updateFile } from "../files/updateFile.ts";
import type { ContractSource } from "../workspace/contractSources.ts";

/** Where source files go. */
export interface SourceFolder {
  readonly uri: string;
  /** As a person wrote it. */
  readonly name: string;
  /** The folder that no link may lead out of. */
  readonly within: string;
}

/**
 * Writes source files below a folder, those of each contract into a folder with its address. A file that has another text is not
 * replaced, and ends the writing.
 *
 * @returns The URIs of the files, a note about those with another path than their name, and why the next one was not written.
 */
export async function saveSources(
  sources: readonly ContractSource[],
  folder: SourceFolder,
  files: Files,
): Promise<{ readonly written: readonly string[]; readonly note?: string; readonly fault?: Explanation }> {
  const written: string[] = [];
  const paths = pathsOf(sources);
  for (const [at, { text }] of sources.entries()) {
    const parts = paths[at] ?? [];
    const name = `${folder.name}/${parts.join("/")}`;
    const target = { uri: parts.reduce(childUri, folder.uri), name, within: folder.within, createsFolders: true };
    const update = await updateFile(files, target, (before) =>
      before === undefined ? { text } : before === text ? "unchanged" : exists(name),
    );
    if (typeof update !== "string") return { written, fault: update };
    written.push(target.uri);
  }
  const [first, ...others] = sources.flatMap(({ name }, at) => {
    const path = (paths[at] ?? []).slice(1).join("/");
    return path === name ? [] : { name, path };
  });
  if (!first) return { written };
  const more = others.length > 0 ? `, and ${others.length} more are changed` : "";
  const why = `A file can be in ${maxParts - 1} folders, with names of ${maxCharacters} plain characters.`;
  return { written, note: `The path ${oneLine(first.name, 200)} is written as ${first.path}${more}. ${why}` };
}

/** Returns a path for each file that no other one has, and that is the folder of none, also where capitals do not count. */
function pathsOf(sources: readonly ContractSource[]): readonly (readonly string[])[] {
  const wanted = sources.map(({ name, address }) => [address, ...partsOf(name)]);
  const keyOf = (parts: readonly string[]): string => foldedName(parts.join("/"));
  const taken = new Set(wanted.flatMap((parts) => parts.slice(1).map((_, at) => keyOf(parts.slice(0, at + 1)))));
  return wanted.map((parts) => {
    let path = parts;
    for (let number = 2; taken.has(keyOf(path)); number++) path = [...parts.slice(0, -1), numbered(parts, number)];
    taken.add(keyOf(path));
    return path;
  });
}

function numbered(parts: readonly string[], number: number): string {
  return (parts.at(-1) ?? "").replace(/(?=\.\w+$)|$/, `-${number}`);
}

/** Parts of a path, and characters of one. */
const [maxParts, maxCharacters] = [10, 80];

/** Returns the parts of a path for the name that a stranger gave a file. None is hidden or an option, and none leads upwards. */
function partsOf(name: string): readonly string[] {
  const parts = name.split(/[\\/]+/).map((part) =>
    part
      .replace(/[^\w.@-]/g, "_")
      .slice(-maxCharacters)
      .replace(/^[.-]+|\.+$/g, "_"),
  );
  const plain = parts
    .filter((part) => part !== "" && part !== "_")
    .map((part) => (isReservedOnWindows(part) ? `_${part}` : part));
  return plain.length > 0 ? plain.slice(-maxParts) : ["source"];
}

function exists(name: string): Explanation {
  return { what: `${name} exists with different content.`, todo: "Name another folder." };
}
