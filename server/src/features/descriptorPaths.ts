import { containerPaths, groupBase, type Part, partsOf } from "../abi/descriptorFormats.ts";
import { parseItem } from "../abi/item.ts";
import { firstOf } from "../base/firstOf.ts";
import { type Span, span } from "../base/span.ts";
import { brief, visible } from "../base/text.ts";
import { inQuotes, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";

/** Paths that can be written in a place of an ERC-7730 descriptor. */
export interface DescriptorPaths {
  /** What a path replaces. */
  readonly span: Span;
  /** The likeliest first. */
  readonly paths: readonly DescriptorPath[];
}

interface DescriptorPath {
  /** `order.maker`, `#.order.maker`, `@.value`, `$.metadata.constants.native` */
  readonly path: string;
  /** Its type or its value. Plain text. */
  readonly detail: string;
}

/**
 * Suggests paths in an ERC-7730 descriptor: parameters of its function, or members of its type, the values of the container,
 * and the constants, enums, maps and definitions of the file.
 *
 * @param text - The file.
 * @param offset - UTF-16 code units from the start of the file.
 * @returns `null` if no path is written there.
 * @see https://eips.ethereum.org/EIPS/eip-7730#path-references
 */
export function descriptorPaths(text: string, offset: number): DescriptorPaths | null {
  const { root } = readCell(text, "header");
  const place = root && stringAt(text, root, offset);
  if (!root || !place || place.keys[0] !== "display") return null;
  const { keys } = place;
  const [key = "", inside] = [keys.findLast((one) => typeof one === "string"), keys.slice(3).includes("params")];
  const within = key === "interpolatedIntent" ? inBraces(text, place.content, offset) : place.content;
  const isPath = /^path$|Path$|^interpolatedIntent$/.test(key);
  if (!within || (!isPath && !inside && key !== "$ref")) return null;
  const constants = membersOf(text, root, inside && key === "$ref" ? "enums" : key === "map" ? "maps" : "constants");
  if (!isPath) return { span: within, paths: key === "$ref" && !inside ? definitionsOf(text, root) : constants };
  const isTyped = member(member(root, "context"), "eip712") !== undefined || !parseItem(String(keys[2]), "");
  const kind = isTyped ? "typed" : "call";
  const all = [...firstOf(pathsOf(partsOf(kind, String(keys[2]))), maxPaths)];
  const base = place.bases.flatMap((path) => (path === "" ? [] : [`${withoutIndex(path)}.`])).join("");
  const prefix = text.slice(within.start, offset).startsWith("#") ? "#." : "";
  const ofData = all.flatMap(({ path, detail }) =>
    path.startsWith(base) ? [{ path: prefix + path.slice(base.length), detail }] : [],
  );
  const ofContainer = containerPaths[kind].map((path) => ({ path, detail: containerDetails[path] }));
  return { span: within, paths: [...ofData, ...ofContainer, ...constants] };
}

/** Suggestions of parameters. */
const maxPaths = 300;
const maxDepth = 8;

const containerDetails = {
  "@.from": "sender or signer",
  "@.to": "contract",
  "@.value": "native currency that is sent",
  "@.chainId": "chain",
} as const;

interface Place {
  /** Of objects and lists around the string, from the root. */
  readonly keys: readonly (string | number)[];
  /** The paths of the groups around it. */
  readonly bases: readonly string[];
  /** Between the quotes. */
  readonly content: Span;
}

/** Finds the string under the cursor, if it is a value. */
function stringAt(text: string, root: JsonNode, offset: number): Place | undefined {
  const keys: (string | number)[] = [];
  const bases: string[] = [];
  let node: JsonNode | undefined = root;
  while (node && node.type !== "string") {
    const children: readonly JsonNode[] = node.children ?? [];
    const at = children.findIndex((child) => child.offset < offset && offset <= child.offset + child.length);
    const child: JsonNode | undefined = children[at];
    if (child?.type !== "property") {
      keys.push(at);
      node = child;
      continue;
    }
    const key = String(child.children?.[0]?.value);
    const value: JsonNode | undefined = child.children?.[1];
    if (key === "fields") bases.push(groupBase(pathIn(node), (value?.children ?? []).map(pathIn)));
    keys.push(key);
    node = value;
  }
  const content = node && inQuotes(text, spanOf(node));
  return content && content.start <= offset && offset <= content.end ? { keys, bases, content } : undefined;
}

/** Returns the path of a field or a group; empty if it has none. */
function pathIn(node: JsonNode): string {
  const path: unknown = member(node, "path")?.value;
  return typeof path === "string" ? path : "";
}

/** Returns the span of the path in braces that the cursor is in. */
function inBraces(text: string, { start, end }: Span, offset: number): Span | undefined {
  const open = text.lastIndexOf("{", offset - 1);
  const path = /^[^{}"]*/.exec(text.slice(open + 1, end))?.[0] ?? "";
  return open >= start && offset <= open + 1 + path.length ? span(open + 1, open + 1 + path.length) : undefined;
}

/** @example withoutIndex("orders.[0]") //=> "orders.[]" */
function withoutIndex(path: string): string {
  return path.replace(/\[[^\]]*\]/g, "[]");
}

function membersOf(text: string, root: JsonNode, kind: "constants" | "enums" | "maps"): readonly DescriptorPath[] {
  return namesIn(text, member(member(root, "metadata"), kind), `$.metadata.${kind}`);
}

function definitionsOf(text: string, root: JsonNode): readonly DescriptorPath[] {
  return namesIn(text, member(member(root, "display"), "definitions"), "$.display.definitions");
}

function namesIn(text: string, node: JsonNode | undefined, path: string): readonly DescriptorPath[] {
  return (node?.children ?? []).slice(0, maxPaths).flatMap(({ children: [name, value] = [] }) => {
    if (typeof name?.value !== "string") return [];
    const label: unknown = member(value, "label")?.value;
    const shown = value ? text.slice(value.offset, value.offset + value.length) : "";
    return [{ path: `${path}.${name.value}`, detail: brief(visible(typeof label === "string" ? label : shown)) }];
  });
}

/** Lazy: types that contain each other would have any number of paths. */
function* pathsOf(parts: readonly Part[], before = "", depth = 0): Generator<DescriptorPath> {
  for (const { name, type, inside } of parts) {
    const isInList = name === "[]" && before.includes("[]"); // the library goes into one
    if (name === "" || isInList || depth > maxDepth) continue;
    yield { path: before + name, detail: type };
    yield* pathsOf(inside(), `${before}${name}.`, depth + 1);
  }
}
