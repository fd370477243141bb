import { declarations } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { quantity, toQuantity } from "../base/hex.ts";
import { visible } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import type { ShellName } from "./shells.ts";

/** The tools that cells can be written for. */
export type ExportForm = "curl" | "cast" | "viem";

export interface ExportTarget {
  readonly to: ExportForm;
  /** The shell that commands are for, by default bash. viem needs none. */
  readonly shell?: ShellName | undefined;
}

export interface Exported {
  readonly text: string;
  readonly notes: readonly ExportNote[];
}

/** The reason why something was not written, or not as it is in the notebook. */
export interface ExportNote {
  readonly cell: Cell;
  /** One sentence. */
  readonly what: string;
}

/** Where the requests of a cell go. */
export interface ExportEndpoint {
  /** `undefined` if the address is private: then the exported text reads it from the environment. */
  readonly url: string | undefined;
  /** Names of headers that the endpoint needs; their values may be secret. */
  readonly headers: readonly string[];
}

export interface ExportScope {
  readonly scope: Scope;
  endpointOf(cell: Cell): ExportEndpoint;
}

/** Makes a comment of every line, so that no line of a text can be one of a script. */
export function comment(text: string, write: (line: string) => string): string {
  const lines = text.split(/[\r\n\u2028\u2029]+/);
  return lines.map((line) => write(visible(line).replaceAll("\t", " ")).trimEnd()).join("\n"); // a tab completes names
}

/** Returns the text of a Markdown cell, in a notebook as well as in a file. */
export function markdownOf({ root, text }: Cell): string {
  if (!root) return text;
  const written = root.children?.find(({ children }) => children?.[0]?.value === "markdown")?.children?.[1];
  return written?.type === "array"
    ? (written.children ?? []).map(({ value }) => String(value)).join("\n")
    : String(written?.value ?? "");
}

/** Returns the first name that a cell declares. */
export function nameOf(cell: Cell): string | undefined {
  return declarations(cell)[0]?.name;
}

/** Returns the name of an environment variable for a header: `X_API_KEY` for `X-Api-Key`. */
export function headerVariable(header: string): string {
  return header
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");
}

/** Whether tools know a block by this name. */
export function isTag(value: unknown): value is string {
  return typeof value === "string" && /^(?:latest|pending|safe|finalized|earliest)$/.test(value);
}

/**
 * Returns the number of a quantity, if a tool that takes the number writes the same quantity again.
 *
 * @param bits - Of the greatest number that the tool takes. Longer block numbers are hashes.
 */
export function numberOf(value: unknown, bits: 64 | 256): bigint | undefined {
  const number = quantity(value);
  return number !== undefined && number < 2n ** BigInt(bits) && toQuantity(number) === value ? number : undefined;
}
