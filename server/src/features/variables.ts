import { names } from "../analysis/order.ts";
import type { Scope } from "../analysis/scope.ts";
import { span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { type JsonNode, member } from "../notebook/json.ts";
import { addMember, replace } from "./edits.ts";
import type { Replacement } from "./formatting.ts";
import type { CellEdit } from "./location.ts";

/** The value of a variable until you fill it in: nodes refuse it, so that it is not forgotten. */
export const nothingYet = '""';

/**
 * Adds a variable to the header.
 *
 * @param json - Its value as text.
 * @returns `undefined` if there is no header, or if the header cannot be extended.
 */
export function newVariable(name: string, json: string, { header }: Scope): CellEdit | undefined {
  return newEntry("variables", name, json, header);
}

/**
 * Gives an address a name in the header, or another name.
 *
 * @returns `undefined` if there is no header, or if the header cannot be extended.
 */
export function newLabel(address: string, name: string, { header }: Scope): CellEdit | undefined {
  const known = member(header?.root, "labels")?.children?.find(
    ({ children }) => String(children?.[0]?.value).toLowerCase() === address.toLowerCase(),
  );
  const value = known?.children?.[1];
  if (header && value) return { cell: header, ...replace(value, JSON.stringify(name)) };
  return newEntry("labels", address, JSON.stringify(name), header);
}

function newEntry(list: "variables" | "labels", key: string, json: string, header: Cell | undefined) {
  if (!header || header.faults.length > 0) return undefined;
  const edit = intoHeader(header.text, header.root, list, key, json);
  return edit && { cell: header, ...edit };
}

function intoHeader(
  text: string,
  root: JsonNode | undefined,
  list: string,
  key: string,
  json: string,
): Replacement | undefined {
  const made = `"${list}": { ${JSON.stringify(key)}: ${json} }`;
  if (!root) return { span: span(0, text.length), insert: `{ ${made} }` };
  if (root.type !== "object") return undefined;
  const known = member(root, list);
  if (known?.type === "object") return addMember(text, known, key, json);
  if (known) return known.type === "null" ? replace(known, `{ ${JSON.stringify(key)}: ${json} }`) : undefined;
  const first = root.children?.[0];
  if (!first)
    return { span: span(root.offset + 1, root.offset + 1), insert: firstMember(text.slice(root.offset), made) };
  // in front of the others: behind the last one the cells of the file may follow
  const gap = /\r?\n[ \t]*$/.exec(text.slice(0, first.offset))?.[0] ?? " ";
  return { span: span(first.offset, first.offset), insert: `${made},${gap}` };
}

/** On a line of its own where the brackets have one between them. */
function firstMember(object: string, made: string): string {
  const line = /^\{(\r?\n[ \t]+)\s*\}/.exec(object)?.[1];
  return `${line ?? " "}${made}${object.startsWith("{}") ? " " : ""}`;
}

/** A name that nothing in the notebook has: the one wanted, or that with a number from `first` upwards. */
export function freeName(wanted: string, { variables, cells }: Scope, first = 1): string {
  const declared = names(cells);
  for (let number = first; ; number++) {
    const name = number === 1 ? wanted : `${wanted}${number}`;
    if (!variables.has(name) && !declared.has(name)) return name;
  }
}

/** Turns any name into one that is valid in a placeholder; `fallback` if nothing is left. */
export function nameFrom(text: string, fallback: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words
    .slice(0, 4)
    .map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word, at) => (at === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join("")
    .slice(0, 40);
  return /^[\p{L}_]/u.test(name) ? name : fallback;
}
