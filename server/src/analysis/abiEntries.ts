import { artifact } from "../abi/artifact.ts";
import { type AbiItem, itemFromJson, parseItem, strangeType, strangeTypeInJson } from "../abi/item.ts";
import { memoByObject } from "../base/memo.ts";
import { brief } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { exactValue, items, type JsonNode, member } from "../notebook/json.ts";

/** One entry of an `abi`, with its span. */
export interface AbiEntry {
  readonly node: JsonNode;
  readonly found: AbiContent;
  /** The contract that it is given for: the `address` beside it. */
  readonly address: JsonNode | undefined;
}

type AbiContent =
  | { readonly kind: "items"; readonly items: readonly AbiItem[] }
  /** The path as written in the notebook. */
  | { readonly kind: "file"; readonly path: string }
  /** A clause without a full stop. */
  | { readonly kind: "wrong"; readonly what: string };

const none: readonly AbiEntry[] = [];
/** Returns the `abi` entries of a header, or those of another cell's requests and of its batch as a whole. */
export const abiEntries = memoByObject(read);

function read(cell: Cell): readonly AbiEntry[] {
  const { kind, root, requests } = cell;
  const whole = kind === "header" || kind === "batch" ? member(root, "abi") : undefined;
  const nodes = [...requests.flatMap(({ members }) => members.get("abi")?.value ?? []), ...(whole ? [whole] : [])];
  if (nodes.length === 0) return none;
  const source = kind === "header" ? "the header" : "this cell";
  return nodes.flatMap((node) => entries(cell.text, node, source, undefined));
}

/** Signatures, members of JSON ABIs, whole ABIs, and what compilers write around them, in lists of any depth. */
function entries(text: string, node: JsonNode, source: string, address: JsonNode | undefined): readonly AbiEntry[] {
  if (node.type === "array") return items(node).flatMap((item) => entries(text, item, source, address));
  const inside = member(node, "abi");
  if (inside) return entries(text, inside, source, member(node, "address") ?? address);
  return [{ node, address, found: content(text, node, source) }];
}

function content(text: string, node: JsonNode, source: string): AbiContent {
  if (node.type === "string") return written(String(node.value), source);
  const json = node.type === "object" ? exactValue(text, node) : null;
  if (json === undefined) return { kind: "items", items: [] }; // still being typed
  const item = itemFromJson(json, source);
  if (item) return { kind: "items", items: [item] };
  const nameless = artifact([json], source); // a constructor or a fallback
  const strange = strangeTypeInJson(json);
  if (strange !== undefined) return { kind: "wrong", what: notAType(strange) };
  return nameless ? { kind: "items", items: [] } : { kind: "wrong", what: expectedEntry };
}

function notAType(type: string): string {
  return `\`${brief(type, 60).replaceAll("`", "'")}\` is not an ABI type`;
}

const expectedEntry = "expected a declaration, the path of a `.json` file, or an item of a JSON ABI";

function written(text: string, source: string): AbiContent {
  if (namesFile(text)) return { kind: "file", path: text };
  const item = parseItem(text, source);
  if (item) return { kind: "items", items: [item] };
  const strange = strangeType(text);
  if (strange !== undefined) return { kind: "wrong", what: notAType(strange) };
  const what = text.includes("(")
    ? "it is not a Solidity declaration such as `function balanceOf(address) returns (uint256)`"
    : expectedEntry;
  return { kind: "wrong", what };
}

/** A declaration has no slash in it, and ends with no file's ending. */
function namesFile(text: string): boolean {
  return /[\\/]|^[^(]*\.\w+$/.test(text);
}
