import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { closingBracket } from "../base/jsonScan.ts";

/**
 * An ABI type, taken apart once so that decoding never looks at text.
 *
 * @see https://docs.soliditylang.org/en/v0.8.30/abi-spec.html#types
 */
export type AbiType = AbiScalar | AbiBytes | AbiArray | AbiTuple;

interface Sized {
  /** Canonical: `uint256`, `(address,bytes)[2]`. */
  readonly text: string;
  /** Words in the head: those of the type if it is static; one word, the offset, if it is dynamic. */
  readonly words: number;
  readonly dynamic: boolean;
}

export interface AbiScalar extends Sized {
  readonly kind: "uint" | "int" | "address" | "bool" | "fixedBytes";
  /** Bytes that count: `uint8` has 1. */
  readonly size: number;
}

interface AbiBytes extends Sized {
  readonly kind: "bytes" | "string";
}

export interface AbiArray extends Sized {
  readonly kind: "array";
  readonly of: AbiType;
  readonly length: number | undefined;
}

interface AbiTuple extends Sized {
  readonly kind: "tuple";
  readonly members: readonly AbiParam[];
}

/** A parameter of an event, an error or a function, or a member of a tuple. */
export interface AbiParam {
  /** `""` if it has none. */
  readonly name: string;
  readonly type: AbiType;
  readonly indexed: boolean;
}

/**
 * Reads an elementary type.
 *
 * @returns `undefined` for names of structs, enums and contracts, for sizes that do not exist, and for `fixed`, which no compiler
 *   deploys.
 */
export function elementary(name: string): AbiType | undefined {
  if (name === "address") return scalar("address", name, 20);
  if (name === "bool") return scalar("bool", name, 1);
  if (name === "function") return scalar("fixedBytes", name, 24); // address and selector, left aligned
  if (name === "bytes" || name === "string") return { kind: name, text: name, words: 1, dynamic: true };
  const [, base, digits] = /^(uint|int|bytes)([1-9]\d{0,2})?$/.exec(name) ?? [];
  if (base === "bytes") {
    const size = Number(digits);
    return size <= 32 ? scalar("fixedBytes", name, size) : undefined;
  }
  const bits = Number(digits ?? 256);
  if ((base !== "uint" && base !== "int") || bits % 8 !== 0 || bits > 256) return undefined;
  return scalar(base, `${base}${bits}`, bits / 8);
}

/** A reference to storage, which only functions of libraries take: a slot. @param text - `Interest.Data storage` */
export function slotNamed(text: string): AbiType | undefined {
  return /^(?:mapping\([\w$.[\]()=> ]+\)|[A-Za-z_$][\w$.]*)(?:\[\d*\])* storage$/.test(text)
    ? scalar("uint", text, 32)
    : undefined;
}

function scalar(kind: AbiScalar["kind"], text: string, size: number): AbiScalar {
  return { kind, text, size, words: 1, dynamic: false };
}

/** @param length - `undefined` for `T[]`. */
export function arrayOf(of: AbiType, length: number | undefined): AbiArray {
  const dynamic = length === undefined || of.dynamic;
  const text = `${of.text}[${length ?? ""}]`;
  return { kind: "array", of, length, text, dynamic, words: dynamic ? 1 : of.words * length };
}

export function tupleOf(members: readonly AbiParam[]): AbiTuple {
  const dynamic = members.some(({ type }) => type.dynamic);
  const words = dynamic ? 1 : members.reduce((sum, { type }) => sum + type.words, 0);
  return { kind: "tuple", members, text: `(${members.map(({ type }) => type.text).join(",")})`, dynamic, words };
}

/** Whether a topic holds only the hash of such a value: everything that is not a single word. */
export function hashedWhenIndexed(type: AbiType): boolean {
  return type.dynamic || type.kind === "array" || type.kind === "tuple";
}

/** The types that user-defined value types are defined on, by the compiler's number for them or by their name. */
export type ValueTypes = ReadonlyMap<string, AbiType>;

/**
 * Reads the definitions in the syntax trees of an artifact or of the compiler's output, by their numbers.
 *
 * @see https://docs.soliditylang.org/en/v0.8.30/using-the-compiler.html#output-description
 */
export function valueTypesByTree(json: JsonObject): ValueTypes {
  const { sources } = isObject(json.output) ? json.output : json;
  const files = isObject(sources) ? Object.values(sources).filter(isObject) : [];
  const trees = [json.ast, ...files.map(({ ast, AST }) => ast ?? AST)];
  const parts = trees.flatMap(nodesIn); // contracts and definitions beside them
  return definitions([...parts, ...parts.flatMap(nodesIn)]);
}

/** Reads the definitions in the text of a large JSON file, by their numbers. */
export function valueTypesInText(text: string): ValueTypes {
  const found: JsonValue[] = [];
  for (const { index } of text.matchAll(/"nodeType"\s*:\s*"UserDefinedValueTypeDefinition"/g)) {
    const start = text.lastIndexOf("{", index); // compilers write the members in the order of their names
    const end = closingBracket(text, start, maxCharacters);
    found.push((end === undefined ? undefined : parseJson(text.slice(start, end))) ?? null);
  }
  return definitions(found);
}

/** Characters of an object in a text. */
export const maxCharacters = 5_000_000;

function nodesIn(node: JsonValue | undefined): readonly JsonObject[] {
  return isObject(node) && isArray(node.nodes) ? node.nodes.filter(isObject) : [];
}

function definitions(nodes: readonly JsonValue[]): ValueTypes {
  const found = new Map<string, AbiType>();
  for (const node of nodes) {
    if (!isObject(node) || node.nodeType !== "UserDefinedValueTypeDefinition" || !isObject(node.underlyingType))
      continue;
    const { typeDescriptions } = node.underlyingType;
    const name = isObject(typeDescriptions) ? typeDescriptions.typeString : node.underlyingType.name;
    const type = typeof name === "string" ? elementary(name.replace(/ payable$/, "")) : undefined;
    if (type) found.set(String(node.id), type);
  }
  return found;
}

/** Reads the types that an ABI uses, by their names. A name with two types is left out. */
export function valueTypesInAbi(abi: JsonValue | undefined): ValueTypes {
  const found = new Map<string, AbiType | undefined>();
  const visit = (params: JsonValue | undefined, depth: number): void => {
    for (const param of isArray(params) && depth < 8 ? params : []) {
      if (!isObject(param)) continue;
      const { internalType, type, components } = param;
      const [name, bare] = [internalType, type].map((one) =>
        typeof one === "string" ? one.replace(/(?:\[\d*\])+$/, "") : "",
      );
      const known = bare === undefined || name === undefined || name === bare ? undefined : elementary(bare);
      if (known && name !== undefined)
        found.set(name, !found.has(name) || found.get(name)?.text === known.text ? known : undefined);
      visit(components, depth + 1);
    }
  };
  for (const item of isArray(abi) ? abi : []) {
    if (!isObject(item)) continue;
    visit(item.inputs, 0);
    visit(item.outputs, 0);
  }
  return new Map([...found].flatMap(([name, type]) => (type ? [[name, type]] : [])));
}
