import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { type Span, span } from "../base/span.ts";
import { nearest } from "../base/text.ts";
import type { TypeRef } from "../catalog/spec.ts";
import { follow, kindOf, printPath } from "../evaluate/path.ts";
import type { Segment } from "../notebook/placeholder.ts";
import { deadEndIn, type OutcomeShape } from "./decodedShape.ts";
import type { Problem } from "./problem.ts";
import { type DeadEnd, deadEnd } from "./types.ts";

/** The first steps of paths in placeholders and in `expect`. */
export const firstSteps: readonly string[] = ["result", "decoded", "error"];

/** The known parts of the outcome that a path looks into. */
export interface KnownOutcome {
  /** The type of `result`, where the catalogue has the method. */
  readonly result: TypeRef | undefined;
  /** The shapes of `decoded` and `error`. */
  readonly shape?: OutcomeShape | undefined;
  /** The latest outcome: `{ result, decoded, error }`, each if present. */
  readonly last?: JsonValue | undefined;
}

/** A path with the places of its steps, and what is before its first step. */
interface WrittenPath {
  readonly steps: readonly Segment[];
  readonly spans: readonly Span[];
  readonly prefix: string;
}

/** Checks the steps behind the first one, which is one of {@link firstSteps}. */
export function checkPath({ steps, spans, prefix }: WrittenPath, known: KnownOutcome): readonly Problem[] {
  const seen = lastDeadEnd(known.last, steps);
  if (seen === "leads on") return [];
  const typed = typedDeadEnd(steps, known);
  const found = typed ? { ...typed, at: typed.at + 1 } : seen;
  const at = found && spans[found.at];
  if (!found || !at) return [];
  const bracketed = found.nearest.some((one) => one.startsWith("["));
  return [
    {
      code: "unknown-path",
      span: bracketed ? span(at.start - 1, at.end) : at,
      until: prefix + printPath(steps.slice(0, found.at)),
      step: String(steps[found.at]),
      found: found.found,
      nearest: found.nearest,
    },
  ];
}

/** Where the path ends by what is known before an answer has come. */
function typedDeadEnd([first, ...rest]: readonly Segment[], { result, shape }: KnownOutcome): DeadEnd | undefined {
  if (first === "result") return result === undefined ? undefined : deadEnd(result, rest);
  const part = first === "decoded" ? shape?.decoded : first === "error" ? shape?.error : undefined;
  return part && deadEndIn(part, rest);
}

/** Where the path ends in what came last; how long a list is, and what is `null`, changes from run to run. */
function lastDeadEnd(
  last: JsonValue | undefined,
  steps: readonly Segment[],
): { readonly at: number; readonly found: string; readonly nearest: readonly string[] } | "leads on" | undefined {
  if (!isObject(last)) return undefined;
  for (const [at] of steps.entries()) {
    const here = follow(last, steps.slice(0, at));
    const next = follow(last, steps.slice(0, at + 1));
    if ("value" in next) continue;
    if (at === 0 || "missing" in here || here.value === null || Array.isArray(here.value)) return undefined;
    return { at, found: kindOf(here.value), nearest: membersLike(here.value, steps[at]) };
  }
  return "leads on";
}

function membersLike(value: JsonValue, step: Segment | undefined): readonly string[] {
  return isObject(value) && typeof step === "string" ? nearest(step, Object.keys(value as JsonObject), 1) : [];
}
