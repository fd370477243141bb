import type { Explanation } from "../base/error.ts";
import type { Files } from "../base/ports.ts";
import { childUri, isReservedOnWindows } from "../base/uri.ts";
import { updateFile } from "../files/updateFile.ts";
import type { ContractSource } from "../workspace/contractSources.ts";

/**
 * Writes source files below a folder, those of each contract into a folder with its address. A file that has another text is not
 * replaced.
 *
 * @param folder - Its URI.
 * @returns The URIs of the files, or why one was not written.
 */
export async function saveSources(
  sources: readonly ContractSource[],
  folder: string,
  files: Files,
): Promise<readonly string[] | Explanation> {
  const written: string[] = [];
  for (const { name, address, text } of sources) {
    const parts = [address, ...partsOf(name)];
    const uri = parts.reduce(childUri, folder);
    const target = { uri, name: parts.join("/"), within: folder, createsFolders: true };
    const update = await updateFile(files, target, (before) =>
      before === undefined ? { text } : before === text ? "unchanged" : exists(target.name),
    );
    if (typeof update !== "string") return update;
    written.push(uri);
  }
  return written;
}

/** Folders in which a file can be, and characters of a name. */
const [maxParts, maxCharacters] = [10, 80];

/** Returns the parts of a path for the name that a stranger gave a file. None of them is hidden, and none leads upwards. */
function partsOf(name: string): readonly string[] {
  const parts = name.split(/[\\/]+/).map((part) =>
    part
      .replace(/[^\w.@-]/g, "_")
      .replace(/^\.+|\.+$/g, "_")
      .slice(-maxCharacters),
  );
  const plain = parts
    .filter((part) => part !== "" && part !== "_")
    .map((part) => (isReservedOnWindows(part) ? `_${part}` : part));
  return plain.length > 0 ? plain.slice(-maxParts) : ["source"];
}

function exists(name: string): Explanation {
  return { what: `${name} exists and has another text.`, todo: "Name another folder." };
}
