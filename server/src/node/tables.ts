import { readFile } from "node:fs/promises";

/** Reads a table. In the bundle, this module is a chunk in a folder beside the folder of the tables. */
export function readTable(name: "signatures"): Promise<string> {
  return readFile(new URL(`../abi/${name}.txt`, import.meta.url), "utf8");
}
