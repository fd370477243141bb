import type { Place } from "../analysis/placeAt.ts";
import { declarations } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { isAddress } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { shapesOf } from "../catalog/shapes.ts";
import type { Cell } from "../notebook/cell.ts";
import { parsePath } from "../notebook/placeholder.ts";
import { code } from "./markdown.ts";
import { atLength, follow, hasInside, inside, joined, outcomeReach, type Reach, shortly, typedPath } from "./reach.ts";
import { literal, stop } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/** Suggests variables and results of other cells, and paths into them, inside parameters. */
export function placeholders(cell: Cell, place: Place, offset: number, scope: Scope): readonly Suggestion[] {
  if (place.param === undefined) return [];
  const around = surroundings(cell.text, place, offset);
  const path = typedPath(around.typed);
  if (path) {
    const [name = "", ...rest] = path.segments;
    const start = named(String(name), cell, scope);
    const here = start && follow(start, rest);
    return (here ? inside(here) : []).map(({ segment, reach }) =>
      suggestion(joined(path.text, segment), reach, around, typeof segment === "number" ? `[${segment}]` : segment),
    );
  }
  const variables = [...scope.variables]
    .filter(([name, value]) => parsePath(name)?.length === 1 && (around.begun || suits(value, place)))
    .map(([name, value]) => suggestion(name, { kind: "value", value }, around));
  const results = [...nearby(cell, around.typed, scope)].map(({ name, of }) =>
    suggestion(`${name}.result`, resultReach(of, name, scope), around),
  );
  return [...variables, ...results, ...(around.begun ? outside(around) : [])];
}

/** Cells that one list takes in. */
const mostResults = 100;

/** Names of other cells, the nearest before this one first, then those behind it. */
function* nearby(
  cell: Cell,
  typed: string,
  { cells, variables }: Scope,
): Generator<{ readonly name: string; readonly of: Cell }> {
  const own = new Set(declarations(cell).map(({ name }) => name));
  const here = cells.indexOf(cell);
  let left = mostResults;
  for (let step = 1; step <= cells.length && left > 0; step++) {
    const at = step <= here ? here - step : step;
    const of = cells[at];
    if (!of || of === cell) continue;
    for (const { name } of declarations(of)) {
      if (own.has(name) || variables.has(name) || !name.includes(typed) || parsePath(name)?.length !== 1) continue;
      own.add(name);
      left--;
      yield { name, of };
    }
  }
}

/** What a name stands for: a variable before a cell. */
function named(name: string, cell: Cell, scope: Scope): Reach | undefined {
  const value = scope.variables.get(name);
  if (value !== undefined) return { kind: "value", value };
  const target = scope.cells.find(
    (one) => one !== cell && declarations(one).some((declared) => declared.name === name),
  );
  return target && outcomeReach(target, name, scope);
}

function resultReach(cell: Cell, name: string, scope: Scope): Reach {
  const outcome = outcomeReach(cell, name, scope);
  return follow(outcome, ["result"]) ?? { kind: "leaf", about: scope.lastResult(cell)?.summary ?? "no result" };
}

interface Surroundings {
  /** What stands behind the `{{`. */
  readonly typed: string;
  /** A `{{` stands before the cursor. */
  readonly begun: boolean;
  /** What of the string stays, raw, with its quotes. */
  readonly head: string;
  readonly tail: string;
}

/** An open placeholder at the cursor is replaced to its end; a string without one is replaced whole. */
function surroundings(text: string, { span, quoted }: Place, offset: number): Surroundings {
  const before = text.slice(span.start, offset);
  const open = /\{\{\s*([^{}]*)$/u.exec(before);
  if (!quoted || !open) return { begun: false, typed: "", head: '"', tail: '"' };
  const after = text.slice(offset, span.end).replace(/^[\p{L}\p{N}_.[\]$-]*\}{0,2}/u, "");
  return {
    begun: true,
    typed: (open[1] ?? "").trim(),
    head: `"${before.slice(1, open.index)}`,
    tail: /["']$/.test(after) ? `${after.slice(0, -1)}"` : `${after}"`,
  };
}

function suggestion(path: string, reach: Reach, { head, tail }: Surroundings, label = `{{${path}}}`): Suggestion {
  const on = hasInside(reach) ? stop(1) : "";
  const whole = `${head}{{${path}}}${tail}`;
  return {
    label,
    kind: "reference",
    detail: shortly(reach),
    documentation: () => `${code(path)}: ${code(atLength(reach), 400)}`,
    insert: `${literal(`${head}{{${path}`)}${on}${literal(`}}${tail}`)}`,
    typed: whole.slice(1, -1),
  };
}

const sources = [
  ["$env", "A variable of the environment."],
  ["$dotenv", "A value of the file `.env`."],
  ["$secret", "A secret that the editor keeps."],
] as const;

/** Values of the host; the name is for a person to fill in. */
function outside({ head, tail }: Surroundings): readonly Suggestion[] {
  return sources.map(([source, about]) => ({
    label: `{{${source}.…}}`,
    kind: "reference",
    detail: about.replaceAll("`", ""),
    documentation: () => about,
    insert: `${literal(`${head}{{${source}.`)}${stop(1, "NAME")}${literal(`}}${tail}`)}`,
    typed: `${head}{{${source}.`.slice(1),
  }));
}

/** Whether a variable can be what a place expects; what is not known may be anything. */
function suits(value: JsonValue, { role }: Place): boolean {
  if (role.kind !== "typed") return true;
  const wantsAddress = shapesOf(role.type).some(
    (shape) => shape.kind === "one" && shape.type.kind === "bytes" && shape.type.role === "address",
  );
  return !wantsAddress || isAddress(value);
}
