import { brief } from "../base/text.ts";
import { readWithin } from "../evaluate/operators.ts";
import type { Cell } from "../notebook/cell.ts";
import { type JsonNode, member, spanOf } from "../notebook/json.ts";
import type { ProblemWith } from "./problem.ts";
import { kindOfNode } from "./value.ts";

interface Expected {
  readonly name: string;
  isRight(value: JsonNode): boolean;
}

function oneOfTypes(name: string, types: readonly JsonNode["type"][]): Expected {
  return { name, isRight: (value) => types.includes(value.type) };
}

/** The expected values of members; `method` and `params` are checked separately. */
const expected: Readonly<Record<string, Expected>> = {
  jsonrpc: { name: '`"2.0"`', isRight: ({ value }) => value === "2.0" },
  id: oneOfTypes("a number, a string or `null`", ["number", "string", "null"]),
  name: oneOfTypes("a string", ["string"]),
  endpoint: oneOfTypes("the name of an endpoint", ["string"]),
  abi: oneOfTypes("a list of signatures and files", ["string", "array"]),
  assume: oneOfTypes("an object of what is assumed", ["object"]),
  each: oneOfTypes("an object of names and values", ["object"]),
  expect: {
    name: "an object with at least one path",
    isRight: ({ type, children }) => type === "object" && !!children?.length,
  },
  within: oneOfTypes('a time such as `"10 s"`', ["string"]),
  snapshot: oneOfTypes("`true` or `false`", ["boolean"]),
  save: oneOfTypes("the path of a file", ["string"]),
  explain: oneOfTypes("`true` or `false`", ["boolean"]),
};

/** Checks the value of a member of a request or a batch by itself. */
export function checkMemberValue(
  text: string,
  name: string,
  value: JsonNode | undefined,
): readonly (ProblemWith<"wrong-type"> | ProblemWith<"bad-within">)[] {
  const form = expected[name];
  if (!value || !form) return [];
  if (!form.isRight(value))
    return [{ code: "wrong-type", span: spanOf(value), expected: form.name, found: written(text, value) }];
  const isBad = name === "within" && readWithin(String(value.value)) === undefined;
  return isBad ? [{ code: "bad-within", span: spanOf(value), text: brief(String(value.value), 60) }] : [];
}

/** A directive whose value a run cannot follow. */
export interface UnreadableDirective {
  readonly name: string;
  readonly problem: ProblemWith<"wrong-type"> | ProblemWith<"bad-within">;
}

/** Finds the first directive of a cell that a run cannot follow, since it is not one of its values. */
export function unreadableDirective(cell: Cell): UnreadableDirective | undefined {
  for (const name of cell.directives) {
    const ofBatch = cell.kind === "batch" && cell.root ? member(cell.root, name) : undefined;
    for (const value of [ofBatch, ...cell.requests.map(({ members }) => members.get(name)?.value)]) {
      const [problem] = checkMemberValue(cell.text, name, value);
      if (problem) return { name, problem };
    }
  }
  return undefined;
}

function written(text: string, node: JsonNode): string {
  const raw = text.slice(node.offset, node.offset + node.length);
  return node.type === "string" || node.type === "number"
    ? `\`${raw.slice(0, 40).replaceAll("`", "'")}\``
    : node.type === "object" && node.children?.length === 0
      ? "an empty one"
      : kindOfNode(node);
}
