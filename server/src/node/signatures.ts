import { readFile } from "node:fs/promises";

/** Reads the table of signatures. In the bundle, this module is a chunk in a folder beside the folder of the table. */
export function readSignatures(): Promise<string> {
  return readFile(new URL("../abi/signatures.txt", import.meta.url), "utf8");
}
