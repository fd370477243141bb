import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { Cell } from "../../notebook/cell.ts";
import { type JsonNode, member } from "../../notebook/json.ts";
import { decodedValue } from "../../report/decoded.ts";
import type { Answer, CellRun } from "../cellRun.ts";

/**
 * Returns the values of placeholders: outcomes of earlier cells by name. Variables win over cells, as in the checks. Of two cells
 * with a name the first wins, even without an answer.
 */
export function valuesFrom(
  variables: ReadonlyMap<string, JsonValue>,
  earlier: readonly CellRun[],
): ReadonlyMap<string, JsonValue> {
  const values = new Map(variables);
  const taken = new Set(variables.keys());
  const add = (name: unknown, value: (() => JsonValue) | undefined): void => {
    if (typeof name !== "string" || taken.has(name)) return;
    taken.add(name);
    if (value) values.set(name, value());
  };
  for (const { step, answers } of earlier) {
    add(batchMember(step.cell, "name")?.value, answers.length > 0 ? () => batchValue(answers) : undefined);
    for (const [at, request] of step.cell.requests.entries()) {
      const answer = answers[at];
      const isEach = answer?.row !== undefined;
      add(request.name, answer && (() => (isEach ? batchValue(answers) : outcomeValue(answer))));
    }
  }
  return values;
}

/** Returns the values of the names of one cell. */
export function valuesOf(run: CellRun): ReadonlyMap<string, JsonValue> {
  return valuesFrom(new Map(), [run]);
}

/** Returns a member of the batch itself. */
export function batchMember({ kind, root }: Cell, key: string): JsonNode | undefined {
  return kind === "batch" ? member(root, key) : undefined;
}

/** Returns the same as {@link outcomeValue}, with lists of a batch or of rows: `null` if an item has none. */
export function batchValue(answers: readonly Answer[]): JsonObject {
  const all = answers.map(outcomeValue);
  const failed = all.some(({ error }) => error !== undefined);
  return {
    result: all.map(({ result = null }) => result),
    get decoded() {
      return all.map(({ decoded = null }) => decoded);
    },
    ...(failed && { error: all.map(({ error = null }) => error) }),
  };
}

/** Returns the value that references and expectations read: `result` and `decoded`, or `error`. Decoding is lazy. */
export function outcomeValue({ request, outcome, scope }: Answer): JsonObject {
  switch (outcome.kind) {
    case "answered":
      return {
        result: outcome.result.value,
        get decoded() {
          return decodedValue(request, outcome, scope) ?? null;
        },
      };
    case "refused":
      return {
        error: {
          code: outcome.code ?? null,
          message: outcome.message,
          data: outcome.data ?? null,
          reason: outcome.reason,
          get decoded() {
            return decodedValue(request, outcome, scope) ?? null;
          },
        },
      };
    case "unreachable":
      return { error: { code: null, message: outcome.message, reason: outcome.reason } };
  }
}
