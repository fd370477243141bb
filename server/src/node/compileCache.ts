import module from "node:module";
import path from "node:path";
import { cacheFolder } from "./cacheFolder.ts";

/**
 * Lets Node cache compiled code, for faster starts (from Node 22.8). Node runs what is in this folder, so it must be one
 * that others cannot write to, unlike Node's default in the temporary folder.
 *
 * @see https://nodejs.org/api/module.html#moduleenablecompilecachecachedir
 */
export function keepCompiled(): void {
  const { enableCompileCache } = module as object as { enableCompileCache?(folder: string): unknown }; // types are of Node 20
  try {
    enableCompileCache?.(path.join(cacheFolder(), "compiled"));
  } catch {
    // A user without a home folder has no cache: the start is only slower.
  }
}
