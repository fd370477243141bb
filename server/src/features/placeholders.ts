import type { CursorContext } from "../analysis/cursorContext.ts";
import { declarations } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { code, markdown, prose } from "../base/markdown.ts";
import { hostSources, namesOf, writtenAs } from "../endpoints/hostValue.ts";
import { eachNames } from "../evaluate/each.ts";
import type { Cell } from "../notebook/cell.ts";
import { parsePath, type Segment } from "../notebook/placeholder.ts";
import {
  atLength,
  follow,
  hasInside,
  inside,
  joined,
  outcomePathTypes,
  type PathTypes,
  resultPathTypes,
  shortly,
  typedPath,
} from "./pathTypes.ts";
import { literal, stop } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";
import { expectedSorts, fittingIn, type Sorts, typeFilter } from "./typeFilter.ts";

/** Members beside `params` in whose values placeholders are filled. */
const filled: ReadonlySet<string> = new Set(["expectation", "operand", "eachValues", "save"]);

/** Whether placeholders are filled in a place. */
export function takesPlaceholders({ param, role, kind }: CursorContext): boolean {
  return param !== undefined || (kind === "value" && role.kind === "member" && filled.has(role.name));
}

/** Suggests variables and results of other cells, and paths into them, where they are filled. */
export function placeholders(cell: Cell, place: CursorContext, offset: number, scope: Scope): readonly Suggestion[] {
  if (!takesPlaceholders(place)) return [];
  const around = cellNeighbours(cell.text, place, offset);
  const wanted = expectedSorts(place, cell, scope);
  const path = typedPath(around.typed);
  if (path) {
    const [name = "", ...rest] = path.segments;
    const start = named(String(name), cell, scope);
    const here = start && follow(start, rest);
    return (here ? inside(here) : [])
      .toSorted((a, b) => Number(isRight(b.reach, b.segment)) - Number(isRight(a.reach, a.segment)))
      .map(({ segment, reach }) =>
        suggestion(joined(path.text, segment), reach, around, typeof segment === "number" ? `[${segment}]` : segment),
      );
  }
  if (around.typed.startsWith("$")) return [...ofHost(around, scope), ...outside(around)];
  const options = [...variables(scope), ...results(cell, around.typed, wanted, scope)];
  const rows = place.param === undefined ? [] : cell.requests.flatMap((request) => [...eachNames(request)]);
  const all = options.map(({ path, reach }) => ({ path, reach, fit: typeFilter(reach, wanted, path) }));
  return [
    ...rows.map((path) => ({ path, reach: { kind: "leaf", about: "a value of each row" } as const })),
    ...all.filter((one) => one.fit === "right"),
    ...all.filter((one) => one.fit === "open"),
    ...all.filter((one) => one.fit === "wrong" && (around.begun || leadsOn(one.reach))),
  ]
    .map(({ path, reach }) => suggestion(path, reach, around))
    .concat(around.begun ? outside(around) : []);

  function isRight(reach: PathTypes, segment: Segment): boolean {
    return typeFilter(reach, wanted, segment) === "right";
  }
}

/** Something that a placeholder may name. */
interface Named {
  readonly path: string;
  readonly reach: PathTypes;
}

function variables({ variables }: Scope): readonly Named[] {
  return [...variables]
    .filter(([name]) => parsePath(name)?.length === 1)
    .map(([path, value]) => ({ path, reach: { kind: "value", value } }));
}

/** Cells whose results are looked through for what fits. */
const maxSearched = 8;

/** Results of other cells; of the nearest ones, before each, what in it is what the place asks for. */
function results(cell: Cell, typed: string, wanted: Sorts, scope: Scope): readonly Named[] {
  return [...nearby(cell, typed, scope)].flatMap(({ name, of }, near) => {
    const reach = resultPathTypes(of, name, scope);
    const whole = { path: `${name}.result`, reach };
    if (near >= maxSearched || typeFilter(reach, wanted, name) === "right") return [whole];
    return [...fittingIn(name, outcomePathTypes(of, name, scope), wanted), whole];
  });
}

/** One may go on from there to what is asked for. */
function leadsOn(reach: PathTypes): boolean {
  return reach.kind !== "value" && hasInside(reach);
}

/** Cells that one list takes in, the nearest. */
export const maxResults = 50;

/** Names of other cells, the nearest before this one first, then those behind it. */
function* nearby(
  cell: Cell,
  typed: string,
  { cells, variables }: Scope,
): Generator<{ readonly name: string; readonly of: Cell }> {
  const own = new Set(declarations(cell).map(({ name }) => name));
  const here = cells.indexOf(cell);
  let left = maxResults;
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

/** Resolves a name: a variable wins over a cell. */
function named(name: string, cell: Cell, scope: Scope): PathTypes | undefined {
  const value = scope.variables.get(name);
  if (value !== undefined) return { kind: "value", value };
  const target = scope.cells.find(
    (one) => one !== cell && declarations(one).some((declared) => declared.name === name),
  );
  return target && outcomePathTypes(target, name, scope);
}

interface CellNeighbours {
  /** The text after the `{{`. */
  readonly typed: string;
  /** A `{{` is before the cursor. */
  readonly begun: boolean;
  /** The part of the string that is kept, raw, with its quotes. */
  readonly head: string;
  readonly tail: string;
}

/** An open placeholder at the cursor is replaced to its end; a string without one is replaced whole. */
function cellNeighbours(text: string, { span, quoted }: CursorContext, offset: number): CellNeighbours {
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

function suggestion(path: string, reach: PathTypes, { head, tail }: CellNeighbours, label = `{{${path}}}`): Suggestion {
  const on = hasInside(reach) ? stop(1) : "";
  const whole = `${head}{{${path}}}${tail}`;
  return {
    label,
    kind: "reference",
    detail: shortly(reach),
    documentation: () => markdown`${code(path)}: ${code(atLength(reach), 400)}`,
    insert: `${literal(`${head}{{${path}`)}${on}${literal(`}}${tail}`)}`,
    typed: whole.slice(1, -1),
  };
}

const sources = [
  ["$env", "A variable of the environment."],
  ["$dotenv", "A value of the file `.env`."],
  ["$secret", "A secret that the editor keeps."],
] as const;

/** Values of the host that are set. */
function ofHost({ head, tail, typed }: CellNeighbours, { hostNames }: Scope): readonly Suggestion[] {
  if (!hostNames) return [];
  return hostSources.flatMap((source) => {
    // the environment holds many variables that are irrelevant here
    if (source !== "secret" && source !== "dotenv" && !typed.startsWith(`$${source}`)) return [];
    return namesOf(source, hostNames).flatMap((name): readonly Suggestion[] => {
      const path = writtenAs({ source, name });
      if (parsePath(path) === undefined || (source === "secret" && hostNames.stored === undefined)) return [];
      return [
        {
          label: `{{${path}}}`,
          kind: "reference",
          detail: "set",
          insert: literal(`${head}{{${path}}}${tail}`),
          typed: `${head}{{${path}}}${tail}`.slice(1, -1),
        },
      ];
    });
  });
}

/** Values of the host; the name is for a person to fill in. */
function outside({ head, tail }: CellNeighbours): readonly Suggestion[] {
  return sources.map(([source, about]) => ({
    label: `{{${source}.…}}`,
    kind: "reference",
    detail: about.replaceAll("`", ""),
    documentation: () => prose(about),
    insert: `${literal(`${head}{{${source}.`)}${stop(1, "NAME")}${literal(`}}${tail}`)}`,
    typed: `${head}{{${source}.`.slice(1),
  }));
}
