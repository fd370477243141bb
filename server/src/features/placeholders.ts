import { names } from "../analysis/order.ts";
import type { Place } from "../analysis/placeAt.ts";
import { declarations } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { shapesOf } from "../analysis/types.ts";
import { isAddress } from "../base/hex.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import { brief } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { code } from "./markdown.ts";
import { literal } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/** Suggests variables and results of other cells, inside parameters. */
export function placeholders(cell: Cell, place: Place, offset: number, scope: Scope): readonly Suggestion[] {
  if (place.param === undefined) return [];
  const around = surroundings(cell.text, place, offset);
  const own = new Set(declarations(cell).map(({ name }) => name));
  const variables = [...scope.variables].filter(([, value]) => around.begun || suits(value, place));
  const results = [...names(scope.cells)].filter(([name]) => !own.has(name) && name.includes(around.typed));
  return [
    ...variables.map(([name, value]) =>
      suggestion(name, brief(printJson(value), 60), `Variable: ${code(printJson(value))}`, around),
    ),
    ...results.slice(0, mostResults).map(([name, { cell: target }]) => {
      const method = target.requests.find((request) => request.name === name)?.method ?? target.requests[0]?.method;
      return suggestion(`${name}.result`, brief(method ?? "", 60), `The result of the cell ${code(name)}.`, around);
    }),
  ];
}

/** Cells that one list takes in. */
const mostResults = 200;

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
  const open = /\{\{\s*([\p{L}\p{N}_-]*)[^{}]*$/u.exec(before);
  if (!quoted || !open) return { begun: false, typed: "", head: '"', tail: '"' };
  const after = text.slice(offset, span.end).replace(/^[\w.[\]$-]*\}{0,2}/, "");
  return {
    begun: true,
    typed: open[1] ?? "",
    head: before.slice(0, open.index),
    tail: after.endsWith('"') ? after : `${after}"`,
  };
}

function suggestion(path: string, detail: string, documentation: string, { head, tail }: Surroundings): Suggestion {
  const text = `${head}{{${path}}}${tail}`;
  const typed = text.slice(1, -1);
  return {
    label: `{{${path}}}`,
    kind: "reference",
    detail,
    documentation: () => documentation,
    insert: literal(text),
    typed,
  };
}

/** Whether a variable can be what a place expects; what is not known may be anything. */
function suits(value: JsonValue, { role }: Place): boolean {
  if (role.kind !== "typed") return true;
  const wantsAddress = shapesOf(role.type).some(
    (shape) => shape.kind === "one" && shape.type.kind === "bytes" && shape.type.role === "address",
  );
  return !wantsAddress || isAddress(value);
}
