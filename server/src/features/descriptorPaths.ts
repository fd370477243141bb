import { type Part, partsOf } from "../abi/descriptorFormats.ts";
import { parseItem } from "../abi/item.ts";
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
  const all = [...first(pathsOf(partsOf(isTyped ? "typed" : "call", String(keys[2]))), maxPaths)];
  const base = place.bases.map(withoutIndex).join(".");
  const isAbsolute = text.slice(within.start, offset).startsWith("#");
  const absolute = all.map(({ path, detail }) => ({ path: `#.${path}`, detail }));
  const relative = all.flatMap(({ path, detail }) => {
    if (base === "") return [{ path, detail }];
    return path.startsWith(`${base}.`) ? [{ path: path.slice(base.length + 1), detail }] : [];
  });
  const ofData = isAbsolute ? absolute : base === "" ? relative : [...relative, ...absolute];
  return { span: within, paths: [...ofData, ...container, ...constants] };
}

/** Suggestions of parameters. */
const maxPaths = 300;
const maxDepth = 8;

/** @see https://eips.ethereum.org/EIPS/eip-7730#container-structure-values */
const container: readonly DescriptorPath[] = [
  { path: "@.from", detail: "sender or signer" },
  { path: "@.to", detail: "contract" },
  { path: "@.value", detail: "native currency that is sent" },
  { path: "@.chainId", detail: "chain" },
];

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
    const path: unknown = key === "fields" ? member(node, "path")?.value : undefined;
    if (typeof path === "string") bases.push(path);
    keys.push(key);
    node = child.children?.[1];
  }
  const content = node && inQuotes(text, spanOf(node));
  return content && content.start <= offset && offset <= content.end ? { keys, bases, content } : undefined;
}

/** Returns the span of the path in braces that the cursor is in. */
function inBraces(text: string, { start, end }: Span, offset: number): Span | undefined {
  const open = text.lastIndexOf("{", offset - 1);
  const path = /^[^{}"]*/.exec(text.slice(open + 1, end))?.[0] ?? "";
  return open >= start && offset <= open + 1 + path.length ? span(open + 1, open + 1 + path.length) : undefined;
}

/** @example withoutIndex("#.orders.[0]") //=> "orders.[]" */
function withoutIndex(path: string): string {
  return path.replace(/^#\./, "").replace(/\[[^\]]*\]/g, "[]");
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
    if (name === "" || depth > maxDepth) continue;
    yield { path: before + name, detail: type };
    yield* pathsOf(inside(), `${before}${name}.`, depth + 1);
  }
}

function* first<Item>(items: Iterable<Item>, count: number): Generator<Item> {
  let left = count;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}
