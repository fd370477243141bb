import { keccak256 } from "viem/utils";
import { type Hex, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { membersInText } from "./membersInText.ts";
import type { AbiParam, AbiType } from "./type.ts";
import { arrayOf, elementary, slotNamed, tupleOf } from "./type.ts";

/** An event, error or function, and who says that it is one. */
export interface AbiItem extends ContractOfFile {
  readonly kind: "event" | "error" | "function";
  readonly name: string;
  readonly inputs: readonly AbiParam[];
  /** The return values of a function; empty for other items. */
  readonly outputs: readonly AbiParam[];
  /** Whether an event is anonymous: topic 0 is an argument, not the hash of the signature. */
  readonly anonymous: boolean;
  /** `Transfer(address,address,uint256)` */
  readonly signature: string;
  /** Keccak of the signature: topic 0 of an event; the first four bytes are the selector of the others. Of a guessed function, only these. */
  readonly hash: Hex;
  /** Whether a function only reads; absent if its declaration does not say. */
  readonly isView?: boolean;
  /** Where it is written: `ERC-20`, a file of the project. Shown to people. */
  readonly source: string;
  /** The part of a notebook that names it: the cell wins over the header, and both over the workspace. */
  readonly namedBy?: "cell" | "header";
  /** A lookup host said so earlier, and no file of the project does: it is for its contract only. */
  readonly isRemembered?: boolean;
}

/** The contract that a declaration is for. */
export interface ContractOfFile {
  /** In lower case; absent if it applies to any. */
  readonly address?: string;
  /** A lookup host said so, not the project. */
  readonly isLookedUp?: boolean;
  /** It was guessed from the code of its contract. */
  readonly isGuessed?: boolean;
}

export interface AbiEvent extends AbiItem {
  readonly kind: "event";
}

export function isEvent(item: AbiItem): item is AbiEvent {
  return item.kind === "event";
}

export function selectorOf(item: AbiItem): string {
  return item.hash.slice(0, 10);
}

/** Formats a declaration in Solidity, including what a signature leaves out: indexed arguments. */
export const declaration = memoByObject((item: AbiItem): string => {
  const inputs = item.inputs.map((p) => [p.type.text, p.indexed && "indexed", p.name].filter(Boolean).join(" "));
  return `${item.kind} ${item.name}(${inputs.join(", ")})${item.anonymous ? " anonymous" : ""}`;
});

/** Deeper types are refused: decoding walks them recursively. */
const maxNesting = 32;

/**
 * Reads a declaration as people write it; without a leading word it is a function.
 *
 * @returns `undefined` where the text is none, or names a type that only a compiler knows.
 * @example parseItem("event Memo(address indexed caller, bytes32 indexed memo)", "B20")?.signature; //=> "Memo(address,bytes32)"
 */
export function parseItem(text: string, source: string): AbiItem | undefined {
  const tokens = tokensOf(text);
  let at = 0;
  const take = (expected: string): boolean => tokens[at] === expected && ++at > 0;
  const word = (): string | undefined => (/^[A-Za-z_$]/.test(tokens[at] ?? "") ? tokens[at++] : undefined);

  const params = (depth: number): readonly AbiParam[] | undefined => {
    if (depth > maxNesting || !take("(")) return undefined;
    const list: AbiParam[] = [];
    if (take(")")) return list;
    do {
      const next = param(depth);
      if (next === undefined) return undefined;
      list.push(next);
    } while (take(","));
    return take(")") ? list : undefined;
  };
  const param = (depth: number): AbiParam | undefined => {
    if (tokens[at] === "tuple" && tokens[at + 1] === "(") at++;
    const members = tokens[at] === "(" ? params(depth + 1) : undefined;
    let type = members ? tupleOf(members) : elementary(word() ?? "");
    for (let size = arraySize(tokens[at]); size && type; size = arraySize(tokens[at])) {
      type = suffixed(type, size);
      at++;
    }
    if (type === undefined) return undefined;
    let name = "";
    let indexed = false;
    for (let next = word(); next !== undefined; next = word()) {
      if (next === "indexed") indexed = true;
      else if (!modifiers.has(next)) name = next;
    }
    return { name, type, indexed };
  };

  const kind = itemKind(tokens[0]) ?? "function";
  if (itemKind(tokens[0])) at++;
  const name = word();
  const inputs = name === undefined ? undefined : params(0);
  if (name === undefined || inputs === undefined) return undefined;
  let anonymous = false;
  let isView: boolean | undefined;
  let outputs: readonly AbiParam[] | undefined = [];
  for (let next = word(); next !== undefined && outputs; next = word()) {
    if (next === "anonymous") anonymous = kind === "event";
    if (next === "view" || next === "pure") isView = true;
    if (next === "payable" || next === "nonpayable") isView = false;
    if (next === "returns") outputs = params(0);
  }
  take(";");
  return outputs && at === tokens.length ? item({ kind, name, inputs, outputs, anonymous, source }, isView) : undefined;
}

function tokensOf(text: string): readonly string[] {
  return text.match(/[A-Za-z_$][\w$]*|\[\d*\]|[(),;]|\S/g) ?? [];
}

/** The first type of a declaration that is not one of the ABI: a struct, an enum, a size that does not exist. */
export function strangeType(text: string): string | undefined {
  const tokens = tokensOf(text);
  return tokens.find((token, at) => {
    const isFirst = tokens[at - 1] === "(" || tokens[at - 1] === ",";
    return isFirst && /^[A-Za-z_$]/.test(token) && tokens[at + 1] !== "(" && elementary(token) === undefined;
  });
}

/** The same of a member of a JSON ABI. */
export function strangeTypeInJson(json: JsonValue | undefined, depth = 0): string | undefined {
  if (!isObject(json) || depth > maxNesting) return undefined;
  const { inputs = [], outputs = [], components = [] } = json;
  const base = typeof json.type === "string" && depth > 0 ? json.type.replace(/\[.*/, "") : "tuple";
  if (base !== "tuple") return elementary(base) ? undefined : base;
  for (const list of [inputs, outputs, components])
    for (const param of isArray(list) ? list : []) {
      const found = strangeTypeInJson(param, depth + 1);
      if (found !== undefined) return found;
    }
  return undefined;
}

const modifiers: ReadonlySet<string> = new Set(["memory", "calldata", "storage", "payable"]);

function itemKind(word: JsonValue | undefined): AbiItem["kind"] | undefined {
  return word === "event" || word === "error" || word === "function" ? word : undefined;
}

/**
 * Reads one member of a JSON ABI, as compilers write it.
 *
 * @param contract - The one that it is declared for.
 * @returns `undefined` for constructors and fallbacks, and for what is none.
 */
export function itemFromJson(json: JsonValue, source: string, contract?: ContractOfFile): AbiItem | undefined {
  if (!isObject(json) || !isIdentifier(json.name)) return undefined;
  const kind = itemKind(json.type ?? "function");
  const inputs = paramsFromJson(json.inputs, 0);
  const outputs = paramsFromJson(json.outputs, 0);
  if (kind === undefined || inputs === undefined || outputs === undefined) return undefined;
  const { name, anonymous, stateMutability: mutability } = json;
  const isView = typeof mutability === "string" ? mutability === "view" || mutability === "pure" : undefined;
  const parts = { kind, name, inputs, outputs, anonymous: anonymous === true, source, ...contract };
  return item(parts, isView, contract?.isGuessed && kind === "function" ? selectorIn(json) : undefined);
}

/**
 * Reads the functions of a library that take references to storage: compilers leave them out of the ABI, and name them in
 * `methodIdentifiers`. What such an argument holds is a slot.
 *
 * @see https://docs.soliditylang.org/en/v0.8.30/contracts.html#function-signatures-and-selectors-in-libraries
 */
export function libraryFunctions(
  { methodIdentifiers, evm }: JsonObject,
  source: string,
  contract?: Pick<AbiItem, "address" | "isLookedUp">,
): readonly AbiItem[] {
  const known = methodIdentifiers ?? (isObject(evm) ? evm.methodIdentifiers : undefined);
  const signatures = isObject(known) ? Object.keys(known).filter((one) => one.includes(" storage")) : [];
  return signatures.flatMap((signature) => {
    const [, name, list = ""] = /^([^(]{1,200})\((.{1,1000})\)$/.exec(signature) ?? [];
    const types = listedTypes(list).map((text) => (/ storage$/.test(text) ? slotNamed(text) : typeWritten(text)));
    const inputs = types.flatMap((type) => (type ? [{ name: "", type, indexed: false }] : []));
    if (!isIdentifier(name) || inputs.length < types.length) return [];
    return [item({ kind: "function", name, inputs, outputs: [], anonymous: false, source, ...contract }, undefined)];
  });
}

/** Reads such functions in the text of a large JSON file with all that a compiler has written. */
export function libraryFunctionsInText(text: string, source: string): readonly AbiItem[] {
  const found: AbiItem[] = [];
  for (const methodIdentifiers of membersInText(text, "methodIdentifiers"))
    if (found.length < maxLibraryFunctions) found.push(...libraryFunctions({ methodIdentifiers }, source));
  return found;
}

const maxLibraryFunctions = 1_000;

/** Divides the list of types of a signature. */
function listedTypes(list: string): readonly string[] {
  const types = [""];
  let depth = 0;
  for (const character of list) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) types.push("");
    else types.push(`${types.pop() ?? ""}${character}`);
  }
  return types;
}

/** Returns the selector of a guessed function whose name is not known, as its file has it. */
function selectorIn({ selector }: JsonObject): Hex | undefined {
  return isHex(selector) && /^0x[0-9a-f]{8}$/.test(selector) ? selector : undefined;
}

/** Reads parameters as JSON ABIs list them; nothing at all is an empty list. */
export function paramsFromJson(json: JsonValue | undefined, depth = 0): readonly AbiParam[] | undefined {
  if (json === undefined) return [];
  if (!isArray(json) || depth > maxNesting) return undefined;
  const params: AbiParam[] = [];
  for (const entry of json) {
    if (!isObject(entry) || typeof entry.type !== "string") return undefined;
    const type = typeFromJson(entry.type, entry.components, depth);
    if (type === undefined) return undefined;
    params.push({ name: isIdentifier(entry.name) ? entry.name : "", type, indexed: entry.indexed === true });
  }
  return params;
}

/** Whether a compiler could have written the name. Any other name could pass for a value or for another declaration. */
function isIdentifier(name: JsonValue | undefined): name is string {
  return typeof name === "string" && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);
}

const typesWritten = new Map<string, AbiType | undefined>();

/**
 * Reads a type in its canonical form. Members of tuples have no names.
 *
 * @example typeWritten("(string,uint256)[]")?.kind; //=> "array"
 */
export function typeWritten(text: string): AbiType | undefined {
  if (typesWritten.has(text)) return typesWritten.get(text);
  if (typesWritten.size >= 1000) typesWritten.clear(); // only an endpoint or a file that makes them up has more
  const type = parseItem(`f(${text})`, "")?.inputs[0]?.type;
  typesWritten.set(text, type);
  return type;
}

function typeFromJson(text: string, components: JsonValue | undefined, depth: number): AbiType | undefined {
  const [, base = "", suffix = ""] = /^([^[]*)((?:\[\d*\])*)$/.exec(text) ?? [];
  const members = base === "tuple" ? paramsFromJson(components, depth + 1) : undefined;
  let type = base === "tuple" ? members && tupleOf(members) : elementary(base);
  for (const size of suffix.match(/\[\d*\]/g) ?? []) type = type && suffixed(type, size);
  return type;
}

function arraySize(token: string | undefined): string | undefined {
  return token?.startsWith("[") && token.length > 1 ? token : undefined;
}

/** @param size - `[]` or `[3]`. */
function suffixed(type: AbiType, size: string): AbiType | undefined {
  if (type.text.length > 1000) return undefined; // a type of a thousand brackets is an attack on the stack
  const array = arrayOf(type, size === "[]" ? undefined : Number(size.slice(1, -1)));
  return array.words <= 2 ** 40 ? array : undefined; // beyond any data; positions stay exact integers
}

/** @param selector - Of a function whose name is not known. */
function item(
  parts: Omit<AbiItem, "signature" | "hash" | "isView">,
  isView: boolean | undefined,
  selector?: Hex,
): AbiItem {
  const signature = `${parts.name}(${parts.inputs.map(({ type }) => type.text).join(",")})`;
  let hash = selector;
  return {
    ...parts,
    ...(isView !== undefined && { isView }),
    signature,
    get hash() {
      hash ??= keccak256(new TextEncoder().encode(signature)); // costs more than everything else about an item
      return hash;
    },
  };
}
