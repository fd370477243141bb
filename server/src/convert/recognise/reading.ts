import type { AbiScope } from "../../abi/abiScope.ts";
import { type JsonValue, printJson } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";

/** One meaning that a pasted text may have. */
export interface Reading {
  /** A short name: `Transaction hash`, `Block 21,000,000`. Safe to show. */
  readonly name: string;
  /** A sentence or two. Safe to show. */
  readonly what: string;
  /** Texts of cells that ask about it, as JSON that is not laid out. None if nothing must be asked, or can be. */
  readonly cells: readonly string[];
}

/** The surroundings of the text: the notebook that it is pasted into. */
export interface RecogniseScope {
  /** Names of addresses, by the address in lower case. */
  readonly labels: ReadonlyMap<string, string>;
  readonly abi: AbiScope;
  /** The endpoint that cells without one are sent to. */
  readonly endpoint: { readonly name: string; readonly chainId: bigint | undefined } | undefined;
  /** The newest state that the endpoint serves. */
  readonly tag: string;
  /** The start of a usual range of logs. */
  readonly fromBlock: string;
  /** The contract to call if the text names none. */
  readonly contract: string;
  /** The calls that signed transactions in the text make, by the bytes in lower case. Without one, its sender is not known. */
  readonly signed: ReadonlyMap<string, JsonValue>;
}

/** @param cells - Cells as values. */
export function reading(name: string, what: string, ...cells: readonly JsonValue[]): Reading {
  return { name: oneLine(name, 160), what: oneLine(what, 400), cells: cells.map((cell) => printJson(cell)) };
}

/** Keeps the first of readings that have the same name and cells. */
export function distinct(readings: readonly Reading[]): readonly Reading[] {
  const seen = new Map(readings.toReversed().map((one) => [JSON.stringify([one.name, one.cells]), one]));
  return [...seen.values()].reverse();
}

/** JSON inside of strings of JSON loses its escapes, and BigNumber objects become their hex. */
export function unescaped(text: string): string {
  let plain = text;
  for (let level = 0; level < 3 && plain.includes('\\"'); level++)
    plain = plain.replace(/(?<!\\)\\+"/g, '"').replace(/(?<!\\)\\+n/g, "\n");
  return plain.replace(/\{\s*"?(?:type"?\s*:\s*"BigNumber"\s*,\s*"?hex|_hex)"?\s*:\s*("0x[\da-fA-F]*")[^{}]*\}/g, "$1");
}
