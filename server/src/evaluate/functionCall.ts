import { encodeParams } from "../abi/encode.ts";
import { selectorOf } from "../abi/item.ts";
import { exactValue, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { choose } from "./candidates.ts";
import type { Context, Conversion } from "./conversion.ts";
import { replacing } from "./edit.ts";

/**
 * Encodes call data written as `{ "function", "args" }`.
 *
 * @returns `undefined` if no function is named.
 */
export function functionCall(node: JsonNode, context: Context): Conversion | undefined {
  const name = member(node, "function");
  if (!name) return undefined;
  if (name.type !== "string") return wrong(name, "function", "expected a name or a signature");
  if (context.isOpen(String(name.value))) return { form: "call", edits: undefined };
  const stray = (node.children ?? [])
    .flatMap(({ children }) => children?.[0] ?? [])
    .find(({ value }) => !keys.includes(String(value)) && !context.isOpen(String(value)));
  if (stray) return wrong(stray, String(stray.value), "call data has a `function` and its `args`");
  const args = member(node, "args");
  const values = (args && exactValue(context.text, args)) ?? [];
  const chosen = choose("function", { name, args, contract: member(node.parent?.parent, "to") }, context, (item) => {
    const encoded = encodeParams(item.inputs, values, context.isOpen);
    return encoded.kind === "encoded" ? { kind: "encoded", text: selectorOf(item) + encoded.hex.slice(2) } : encoded;
  });
  if ("problems" in chosen) return chosen;
  const { item, text } = chosen;
  return { form: "call", calls: item, edits: text === undefined ? undefined : [replacing(node, `"${text}"`)] };
}

const keys: readonly string[] = ["function", "args"];

function wrong(node: JsonNode, path: string, what: string): Conversion {
  return { problems: [{ code: "bad-argument", span: spanOf(node), path, declared: undefined, what }] };
}
