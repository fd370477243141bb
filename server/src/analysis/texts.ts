import type { JsonNode } from "../notebook/json.ts";

/** A string of a tree, with its place. */
interface StringAt {
  readonly node: JsonNode;
  readonly isKey: boolean;
  /** The nearest key around it, itself left out. */
  readonly key: string | undefined;
}

/** Every string in a value, keys among them, in the order of the text. */
export function* textsIn(node: JsonNode, key?: string): Generator<StringAt> {
  if (node.type === "string") yield { node, isKey: false, key };
  for (const child of node.children ?? []) {
    if (child.type !== "property") {
      yield* textsIn(child, key);
      continue;
    }
    const [name, value] = child.children ?? [];
    if (name) yield { node: name, isKey: true, key };
    if (name && value) yield* textsIn(value, String(name.value));
  }
}
