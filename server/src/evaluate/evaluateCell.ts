import type { JsonValue } from "../base/json.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { spanOf } from "../notebook/json.ts";
import { type EachRow, eachRows, whyNotEach } from "./each.ts";
import {
  type EvaluatedRequest,
  type EvaluationContext,
  type EvaluationProblem,
  evaluateRequest,
} from "./evaluateRequest.ts";
import type { Values } from "./fill.ts";
import { whyNotSave } from "./save.ts";

/** The requests of a cell; if there are problems, those without. */
interface EvaluatedCell {
  readonly requests: readonly EvaluatedRequest[];
  readonly problems: readonly EvaluationProblem[];
  /** The row of `each` that has them, from 1. */
  readonly badRow?: number | undefined;
}

/**
 * Evaluates the requests of a cell: each once, or one with `each` once for every row.
 *
 * @param most - Rows that are evaluated; all by default.
 */
export function evaluateCell(
  cell: Cell,
  values: Values,
  freshId: () => number,
  context: EvaluationContext,
  most?: number,
): EvaluatedCell {
  const requests: EvaluatedRequest[] = [];
  const problems: EvaluationProblem[] = [];
  let badRow: number | undefined;
  for (const request of cell.requests) {
    const rows = rowsOf(cell, request, values, context);
    if ("problems" in rows) problems.push(...rows.problems);
    const unsaved = whyNotSave(cell, request);
    if (unsaved !== undefined) problems.push({ code: "bad-save", span: spanOf(request.node), what: unsaved });
    for (const [index, row] of ("problems" in rows ? none : rows.slice(0, most)).entries()) {
      const made = evaluateRequest(cell.text, request, row ? valuesWith(row, values) : values, freshId(), context);
      if (made.request) requests.push(row ? { ...made.request, row: row.columns } : made.request);
      else problems.push(...made.problems);
      if (row && !problems.every(isFact)) {
        if (!made.request) badRow = index + 1;
        break; // the others have the same mistake
      }
    }
  }
  return { requests, problems, badRow };
}

const none: readonly never[] = [];
const oneRow: readonly undefined[] = [undefined];

/** Returns the rows of a request; one that is `undefined` for a request that is sent once. */
function rowsOf(cell: Cell, request: RequestNode, values: Values, { catalog, heads, rowFiles }: EvaluationContext) {
  const { key, value } = request.members.get("each") ?? {};
  if (!key || !value) return oneRow;
  const what = whyNotEach(cell, request, catalog);
  if (what !== undefined) return { problems: [{ code: "bad-each", span: spanOf(key), what }] as const };
  return eachRows(cell.text, value, request, { values, heads, rowFiles });
}

function valuesWith(row: EachRow, values: Values): Values {
  return { ...values, of: (name): JsonValue | undefined => row.values.get(name) ?? values.of(name) };
}

/** The chain has to be asked, and may be asked for all rows at once. */
function isFact({ code }: EvaluationProblem): boolean {
  return code === "unknown-head" || code === "unknown-layout";
}
