import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { closingBracket } from "../base/jsonScan.ts";
import { type AbiType, elementary } from "./type.ts";

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
