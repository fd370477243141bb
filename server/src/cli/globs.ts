import { readdir, stat } from "node:fs/promises";
import { Minimatch } from "minimatch";
import { oneLine } from "../base/text.ts";
import { isPattern } from "./files.ts";
import { UsageError } from "./terminal.ts";

/**
 * Replaces patterns by the files that they match, in alphabetical order: shells of Windows leave patterns to programs. The
 * name of an existing file is not a pattern. Hidden folders and `node_modules` are searched only if the pattern names them.
 *
 * @throws {@link UsageError} if a pattern matches no file.
 */
export async function expandPatterns(names: readonly string[], system = process.platform): Promise<readonly string[]> {
  const found = await Promise.all(names.map((name) => filesFor(name, system)));
  return found.flat();
}

async function filesFor(name: string, system: NodeJS.Platform): Promise<readonly string[]> {
  if (!isPattern(name) || (await stat(name).catch(() => undefined))) return [name];
  const found = await matching(system === "win32" ? name.replaceAll("\\", "/") : name, system);
  if (found.length > 0) return found;
  throw new UsageError(`No file matches ${oneLine(name)}.`, { hint: "Check the pattern, and the working folder." });
}

async function matching(pattern: string, system: NodeJS.Platform): Promise<readonly string[]> {
  const parts = pattern.split("/");
  const at = parts.findIndex(isPattern);
  const base = parts
    .slice(0, at)
    .map((part) => `${part}/`)
    .join("");
  const nocase = system === "win32" || system === "darwin";
  const matcher = new Minimatch(parts.slice(at).join("/"), { nocase, nonegate: true, nocomment: true });
  const found: string[] = [];
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(`${base}${folder}` || ".", { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== "node_modules" && matcher.match(path, true)) await search(`${path}/`);
      } else if (matcher.match(path) && (entry.isFile() || (await isFile(`${base}${path}`))))
        found.push(`${base}${path}`);
    }
  };
  await search("");
  return found.sort();
}

/** Follows a link. */
async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
