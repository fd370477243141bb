import { isArray } from "../base/json.ts";
import { type Span, span } from "../base/span.ts";
import { brief, nearest } from "../base/text.ts";
import type { TypeRef } from "../catalog/spec.ts";
import { sampleOf, shapesOf } from "../catalog/types.ts";
import { compared } from "../evaluate/comparison.ts";
import { isOperator, type Operator, operandFault, operators, readWithin } from "../evaluate/operators.ts";
import { exactValue, type JsonNode, spanOf } from "../notebook/json.ts";
import { parsePath, type Segment } from "../notebook/placeholder.ts";
import { checkPath, firstSteps } from "./checkPath.ts";
import type { OutcomeShape } from "./decodedShape.ts";
import { duplicates, membersOf } from "./object.ts";
import type { Problem } from "./problem.ts";
import { hasPlaceholder, stringsIn } from "./references.ts";
import { typesAt } from "./types.ts";
import { isTypo } from "./typo.ts";

/**
 * Checks what an answer is expected to be.
 *
 * @param resultAt - The type of `result`, by the steps that follow it; `undefined` if nothing is known.
 * @param shape - Of `decoded` and `error`.
 */
export function checkExpect(
  text: string,
  expect: JsonNode,
  resultAt: (rest: readonly Segment[]) => TypeRef | undefined,
  shape?: OutcomeShape,
): readonly Problem[] {
  if (expect.type !== "object") return [];
  const members = membersOf(expect);
  return [
    ...duplicates(members),
    ...members.flatMap(({ name, key, value }) => {
      const steps = parsePath(name);
      if (isOperator(name) && (!steps || !firstSteps.includes(name))) return [badPath(key, name, "operator")];
      if (!steps) return [badPath(key, name, "no-path", repaired(name))];
      const result = resultAt(steps.slice(1));
      if (!firstSteps.includes(String(steps[0])))
        return [badPath(key, name, "first-step", meantBy(name, steps, result))];
      const path = { steps, spans: spansOf(text, key, name), prefix: "" };
      const type = result !== undefined && steps[0] === "result" ? typesAt(result, steps.slice(1)) : [];
      return [...checkPath(path, { result, shape }), ...(value ? checkWanted(text, value, type) : [])];
    }),
  ];
}

function badPath(
  key: JsonNode,
  path: string,
  why: "no-path" | "first-step" | "operator",
  meant?: string | undefined,
): Problem {
  return { code: "bad-path", span: spanOf(key), why, path: brief(path, 60), meant };
}

/** Paths as other tools write them: `$.result`, `.result`, `result['x']`, `result[0]["x"]`. */
function repaired(path: string): string | undefined {
  const meant = path
    .trim()
    .replace(/^\$?\.?/, "")
    .replace(/\[\s*(['"])([\p{L}\p{N}_$-]+)\1\s*\]/gu, ".$2");
  const steps = meant === path ? undefined : parsePath(meant);
  return steps && firstSteps.includes(String(steps[0])) ? meant : undefined;
}

function meantBy(path: string, [first]: readonly Segment[], result: TypeRef | undefined): string | undefined {
  const [near] = nearest(String(first), firstSteps, 1);
  if (near !== undefined && isTypo(String(first), near)) return near + path.slice(String(first).length);
  const isField = result !== undefined && fieldNames([result]).includes(String(first));
  return isField ? `result.${path}` : near && near + path.slice(String(first).length);
}

/** Where each step is written; in a key with escapes, the whole key. */
function spansOf(text: string, key: JsonNode, name: string): readonly Span[] {
  const at = spanOf(key);
  const plain = text.slice(at.start + 1, at.end - 1) === name;
  return [...name.matchAll(/[^.[\]]+/g)].map(({ 0: step, index }) =>
    plain ? span(at.start + 1 + index, at.start + 1 + index + step.length) : at,
  );
}

function checkWanted(text: string, wanted: JsonNode, types: readonly TypeRef[]): readonly Problem[] {
  if (wanted.type !== "object") return uncomparable(text, wanted, types);
  const members = membersOf(wanted);
  const fields = fieldNames(types);
  const strange = members.filter(({ name }) => !isOperator(name) && !fields.includes(name));
  const strict = members.some(({ name }) => isOperator(name) && !/^\w/.test(name));
  const mistaken = strict ? strange : strange.filter(({ name }) => meantOperator(name) !== undefined);
  const areOperators = members.every((member) => isOperator(member.name) || mistaken.includes(member));
  if (!strict && !areOperators) return []; // a value to compare with
  return [
    ...duplicates(members),
    ...members.flatMap((member): readonly Problem[] => {
      if (isOperator(member.name))
        return [
          ...operand(text, member.name, member.value),
          ...(member.value && /^[!=]=$/.test(member.name) ? uncomparable(text, member.value, types) : []),
        ];
      const near = meantOperator(member.name);
      return mistaken.includes(member)
        ? [{ code: "unknown-operator", span: spanOf(member.key), name: member.name, nearest: near ? [near] : [] }]
        : [];
    }),
  ];
}

const someBytes = `0x${"11".repeat(32)}`;

/** A value of a kind with which no answer of these types can be compared. */
function uncomparable(text: string, node: JsonNode, types: readonly TypeRef[]): readonly Problem[] {
  const written = exactValue(text, node);
  if (written === undefined || [...stringsIn(node)].some((one) => hasPlaceholder(text, one))) return [];
  const compares = types.flatMap(shapesOf).map((shape) => {
    if (shape.kind === "list") return isArray(written) || compared([], written);
    if (shape.type.kind === "any") return true;
    return compared(shape.type.kind === "bytes" ? someBytes : sampleOf(shape.ref), written);
  });
  const wrong = compares.find((one) => typeof one === "object")?.wrong;
  const isCertain = wrong !== undefined && compares.every((one) => typeof one === "object");
  return isCertain ? [{ code: "bad-operand", span: spanOf(node), what: `here, ${wrong}` }] : [];
}

function operand(text: string, operator: Operator, value: JsonNode | undefined): readonly Problem[] {
  if (value && [...stringsIn(value)].some((node) => hasPlaceholder(text, node))) return []; // known only in a run
  const written = value && exactValue(text, value);
  const what = written === undefined ? undefined : operandFault(operator, written);
  return value && what !== undefined ? [{ code: "bad-operand", span: spanOf(value), what }] : [];
}

/** Operator names from other tools and common mistakes, each with the operator that was meant. */
const otherNames: Readonly<Record<string, Operator>> = {
  "=": "==",
  "===": "==",
  eq: "==",
  equals: "==",
  "!": "!=",
  "!==": "!=",
  "<>": "!=",
  "=!": "!=",
  ne: "!=",
  neq: "!=",
  "=<": "<=",
  lt: "<",
  lte: "<=",
  le: "<=",
  "=>": ">=",
  gt: ">",
  gte: ">=",
  ge: ">=",
  oneOf: "in",
  anyOf: "in",
  match: "matches",
  regex: "matches",
  regexp: "matches",
  "=~": "matches",
  "~": "matches",
  len: "length",
  size: "length",
  typeof: "type",
};

function meantOperator(name: string): Operator | undefined {
  const bare = name.trim().replace(/^\$(?=\w)/, "");
  if (Object.hasOwn(otherNames, bare)) return otherNames[bare];
  if (isOperator(bare)) return bare;
  const names = Object.keys(operators).filter(isOperator);
  return names.find((one) => one.length > 3 && isTypo(name, one)) ?? names.find((one) => one === bare.toLowerCase());
}

function fieldNames(types: readonly TypeRef[]): readonly string[] {
  return types.flatMap(shapesOf).flatMap((shape) => {
    if (shape.kind === "list" || shape.type.kind !== "object") return [];
    return shape.type.fields.map(({ name }) => name);
  });
}

/** Advises to expect something, since there is nothing to wait for. */
export function checkWithin(node: JsonNode): readonly Problem[] {
  if (node.type !== "string" || readWithin(String(node.value)) === undefined) return [];
  const why = "`within` waits until what is expected holds.";
  return [{ code: "missing-field", span: spanOf(node), names: ["expect"], why, advice: true }];
}
