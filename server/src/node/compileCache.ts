import module from "node:module";
import path from "node:path";
import { cacheFolder } from "./cacheFolder.ts";

/**
 * Lets Node keep what it has compiled, so that later starts are faster. Node 20 cannot. What is kept is run: others must not write to the folder, and they
 * may in the one that Node would choose.
 *
 * @see https://nodejs.org/api/module.html#moduleenablecompilecachecachedir
 */
export function keepCompiled(): void {
  const { enableCompileCache } = module as object as { enableCompileCache?(folder: string): unknown }; // types are of Node 20
  enableCompileCache?.(path.join(cacheFolder(), "compiled"));
}
