import { readFile } from "node:fs/promises";

/** Reads the table that stands beside the program: this module is a chunk of its own in a folder beside that of the table. */
export function readSignatures(): Promise<string> {
  return readFile(new URL("../abi/signatures.txt", import.meta.url), "utf8");
}
