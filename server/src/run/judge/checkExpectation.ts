import { ExactNumber, isArray, isObject, type JsonObject, type JsonValue, printJson } from "../../base/json.ts";
import { brief, listed } from "../../base/text.ts";
import { grouped } from "../../base/units.ts";
import { compared, type Mismatch } from "../../evaluate/comparison.ts";
import { type Difference, differences, isCutShort } from "../../evaluate/diff.ts";
import {
  amount,
  difference,
  isOperators,
  numberOf,
  type Operator,
  operandFault,
  operators,
} from "../../evaluate/operators.ts";
import { follow, type NoSuchPath, type Segment } from "../../evaluate/path.ts";
import { maxSteps, occurs, readPattern } from "../../evaluate/pattern.ts";
import { parsePath } from "../../notebook/placeholder.ts";

/** An expectation that failed, or could not be read. */
export interface AssertionFailure {
  readonly path: string;
  /** `to be at least "1000000"` */
  readonly expected: string;
  /** A sentence: `It is "999".`, or why there is nothing, or why it cannot be checked. */
  readonly found: string;
  /** `undefined` if the expected value could not be read. */
  readonly operator: Operator | undefined;
  readonly wanted: JsonValue;
  /** `undefined` if the answer has no value there. */
  readonly actual: JsonValue | undefined;
  /** The values of the row that it is about, if the cell has `each`. */
  readonly row?: JsonObject;
}

/** The expectation is written so that it cannot hold for any answer. */
export function isUncheckable({ operator, wanted }: AssertionFailure): boolean {
  return operator === undefined || operandFault(operator, wanted) !== undefined;
}

/** The differences inside a list, an object or a long text; empty for other values. */
export function failureDifferences({ path, operator, wanted, actual }: AssertionFailure): Iterable<Difference> {
  if (operator === "==" && isCutShort(wanted, actual)) return differences(wanted, actual ?? null, parsePath(path));
  if (operator !== "==" || typeof wanted !== "object" || typeof actual !== "object") return [];
  return differences(wanted, actual, parsePath(path), (one, other) => compared(other, one) === true);
}

/** Returns the faults of the data from which a path below `decoded` was decoded. */
export type FaultsAt = (path: readonly Segment[]) => readonly string[];

/**
 * Checks a cell's `expect` against the outcome. Values decoded from faulty data never match: they may be incomplete.
 *
 * @param outcome - Has `result`, `decoded` or `error`.
 * @param faultsAt - Faults of data that calls returned; other values have their own `faults`.
 * @returns The failed expectations, in the order in which they are written.
 */
export function assertionFailures(
  expect: JsonValue,
  outcome: JsonObject,
  faultsAt: FaultsAt = () => [],
): readonly AssertionFailure[] {
  if (!isObject(expect)) {
    const expected = "to be an object of paths and values";
    const found = `It is ${show(expect)}.`;
    return [{ path: "expect", expected, found, operator: undefined, wanted: {}, actual: expect }];
  }
  return Object.entries(expect).flatMap(([path, wanted]) => failuresAt(path, wanted, outcome, faultsAt));
}

function failuresAt(
  path: string,
  wanted: JsonValue,
  outcome: JsonObject,
  faultsAt: FaultsAt,
): readonly AssertionFailure[] {
  const segments = parsePath(path);
  if (!segments) {
    const expected = "to be a path such as result[0].value";
    return [{ path, expected, found: "It is none.", operator: undefined, wanted, actual: undefined }];
  }
  const found = follow(outcome, segments);
  const checks = isOperators(wanted) ? Object.entries(wanted) : [["==", wanted] as const];
  return checks.flatMap(([operator, operand]): readonly AssertionFailure[] => {
    const name = operator as Operator; // isOperators has checked every key
    const expected = `${operators[name]} ${show(operand)}`;
    const miss = { path, expected, operator: name, wanted: operand };
    if ("missing" in found) return [{ ...miss, found: whereMissing(found.missing, outcome), actual: undefined }];
    const held = holds(name, found.value, operand);
    const fault = faultOn(outcome, segments, faultsAt);
    if (held === true && fault === undefined) return [];
    const why =
      held === true
        ? `The data does not fit its declaration: ${fault}.`
        : held === false
          ? `It is ${show(found.value)}.`
          : `This cannot be checked: ${held.wrong}.`;
    return [{ ...miss, found: why, actual: found.value }];
  });
}

/** Returns the faults of the data that a value was decoded from; `undefined` if it was not decoded. */
function faultOn(outcome: JsonObject, path: readonly Segment[], faultsAt: FaultsAt): string | undefined {
  const from = path.indexOf("decoded");
  if (from < 0 || from > 1) return undefined;
  if (from === 0 && faultsAt(path)[0] !== undefined) return faultsAt(path)[0];
  let here: JsonValue | undefined = outcome;
  for (const [at, segment] of path.entries()) {
    here = isArray(here) ? here[Number(segment)] : isObject(here) ? here[segment] : undefined;
    const next = path[at + 1];
    if (next === "args" || next === "returnData" || next === "values" || next === "reason") {
      const faults: JsonValue | undefined = isObject(here) ? here.faults : undefined;
      return isArray(faults) && typeof faults[0] === "string" ? faults[0] : undefined;
    }
  }
  return undefined;
}

function whereMissing({ until, found }: NoSuchPath, outcome: JsonObject): string {
  const came = Object.keys(outcome);
  const top =
    came.length === 1 && came[0] === "error" ? "the endpoint returned an error" : `the answer has ${listed(came)}`;
  return `There is none: ${until === "" ? top : `${until} is ${found}`}.`;
}

function holds(operator: Operator, actual: JsonValue, operand: JsonValue): boolean | Mismatch {
  const wrong = operandFault(operator, operand);
  if (wrong !== undefined) return { wrong };
  switch (operator) {
    case "==":
      return compared(actual, operand);
    case "!=":
      return negated(compared(actual, operand));
    case "<":
    case "<=":
    case ">":
    case ">=":
      return ordered(operator, actual, operand);
    case "in":
      return isArray(operand) && isOneOf(actual, operand);
    case "matches":
      return matches(actual, operand);
    case "length":
      return compared(lengthOf(actual) ?? null, operand);
    case "type":
      return typeName(actual) === operand;
  }
}

type Comparison = "<" | "<=" | ">" | ">=";

function ordered(operator: Comparison, actual: JsonValue, operand: JsonValue): boolean | Mismatch {
  const [a, b] = [numberOf(actual), numberOf(operand) ?? amount(operand)];
  if (a === undefined || b === undefined) return { wrong: "the value is not a number" };
  const more = difference(a, b);
  return operator === "<" ? more < 0n : operator === "<=" ? more <= 0n : operator === ">" ? more > 0n : more >= 0n;
}

function negated(held: boolean | Mismatch): boolean | Mismatch {
  return typeof held === "boolean" ? !held : held;
}

function isOneOf(actual: JsonValue, list: readonly JsonValue[]): boolean | Mismatch {
  const parts = list.map((one) => compared(actual, one));
  return parts.includes(true) || (parts.find((part) => part !== false) ?? false);
}

function matches(actual: JsonValue, operand: JsonValue): boolean | Mismatch {
  const pattern = readPattern(String(operand));
  if (typeof pattern === "string" || typeof actual !== "string") return false;
  return (
    occurs(pattern, actual) ?? { wrong: `comparing it with this pattern takes more than ${grouped(maxSteps)} steps` }
  );
}

/** Returns the length: bytes of a `0x` string, characters of other text, items, members. */
function lengthOf(value: JsonValue): number | undefined {
  if (isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  if (typeof value !== "string") return undefined;
  return /^0x(?:[0-9a-f]{2})*$/i.test(value) ? (value.length - 2) / 2 : value.length;
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  if (isArray(value)) return "array";
  return typeof value === "bigint" || value instanceof ExactNumber ? "number" : typeof value;
}

/** Writes a failure again whose values were masked, so that no text is cut within a secret. */
export function expectationText(miss: AssertionFailure): AssertionFailure {
  const { operator, wanted, actual, found } = miss;
  return {
    ...miss,
    ...(operator && { expected: `${operators[operator]} ${show(wanted)}` }),
    ...(actual !== undefined && found.startsWith("It is ") && { found: `It is ${show(actual)}.` }),
  };
}

function show(value: JsonValue): string {
  return brief(printJson(value), 200);
}
