import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Explanation } from "../base/error.ts";
import type { Service } from "../service/service.ts";

/** A declaration has parentheses, and is not the name of a file. */
export function isAbiPath(abi: string): boolean {
  return !abi.includes("(") || existsSync(abi);
}

/** Returns values of `--abi` as a notebook of the working folder writes them. */
export function abiEntries(abis: readonly string[]): readonly string[] {
  return abis.map((one) => (isAbiPath(one) ? `./${relative(".", resolve(one)).replaceAll("\\", "/")}` : one));
}

/**
 * Opens a notebook that exists only in memory, and waits until the contracts of its project are known.
 *
 * @returns The values of `--abi` that cannot be used.
 */
export async function openInMemory(uri: string, text: string, service: Service): Promise<readonly Explanation[]> {
  service.openText(uri, text);
  service.abi(uri); // starts the search for contracts
  await service.settled(uri);
  const wrong = service.diagnostics(uri).filter(({ code }) => code === "bad-abi");
  return wrong.map(({ message }) => ({ what: message, todo: "Fix the value of --abi." }));
}
