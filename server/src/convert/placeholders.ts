import type { JsonValue } from "../base/json.ts";
import { parseJson } from "../base/json.ts";
import { parsePath } from "../notebook/placeholder.ts";
import type { Note } from "./importModel.ts";

/** Returns a name that a placeholder can have: letters, digits, `_` and `-`, a letter first. */
export function variableName(written: string): string {
  const name = written.trim().replace(/[^\p{L}\p{N}_-]+/gu, "_");
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

/**
 * Rewrites the placeholders of other tools. Those without a counterpart stay as they are, which is an error.
 *
 * @param at - Where the text is in the file, for notes.
 * @example rewritten("{{$processEnv KEY}}").text; //=> "{{$env.KEY}}"
 */
export function rewritten(text: string, at: number): { readonly text: string; readonly notes: readonly Note[] } {
  const notes: Note[] = [];
  const made = text.replace(/\{\{([^{}\r\n]{1,200})\}\}/g, (all, inner: string, offset: number) => {
    const replacement = counterpart(inner.trim());
    if (replacement !== undefined) return `{{${replacement}}}`;
    const isId = /"id"\s*:\s*"?$/.test(text.slice(0, offset)); // no answer depends on it
    notes.push({
      at,
      severity: isId ? "note" : "error",
      what: `\`${all}\` has no counterpart here and is left as it is.`,
    });
    return all;
  });
  return { text: made, notes };
}

function counterpart(inner: string): string | undefined {
  const [, source, name] = /^\$(processEnv|dotenv)\s+%?([\p{L}_][\p{L}\p{N}_-]*)$/u.exec(inner) ?? [];
  if (source !== undefined) return `$${source === "dotenv" ? "dotenv" : "env"}.${name}`;
  const [, cell, path] = /^([\p{L}_][\p{L}\p{N}_-]*)\.response\.body\.(?:\$\.)?(.+)$/u.exec(inner) ?? [];
  if (cell !== undefined) return `${cell}.${path}`;
  if (inner.startsWith("$")) return parsePath(inner) ? inner : undefined;
  return parsePath(inner) ? inner : variableName(inner);
}

/** Returns the values of variables, by the names that they get. @param written - By their names as written. */
export function valuesOf(
  written: ReadonlyMap<string, string>,
  bodies: readonly string[],
): ReadonlyMap<string, JsonValue> {
  return new Map(
    [...written].map(([name, value]) => [variableName(name), variableValue(variableName(name), value, bodies)]),
  );
}

/** Returns the value of a variable: JSON if a body uses it without quotes, otherwise text. */
function variableValue(name: string, text: string, bodies: readonly string[]): JsonValue {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const bare = new RegExp(`(?:^|[\\[:,])\\s*\\{\\{\\s*${escaped}\\s*\\}\\}\\s*(?:[,\\]}]|$)`);
  return bodies.some((body) => bare.test(body)) ? (parseJson(text) ?? text) : text;
}

/** @param variables - By their names as written; values may hold others. */
export function filled(text: string, variables: ReadonlyMap<string, string>): string {
  const byName = new Map([...variables].map(([name, value]) => [variableName(name), value]));
  let made = text;
  for (let round = 0; round < 5; round++) {
    const next = made.replace(
      /\{\{\s*([^{}\s$][^{}]*?)\s*\}\}/g,
      (all, name: string) => byName.get(variableName(name)) ?? all,
    );
    if (next === made || next.length > 10_000) break;
    made = next;
  }
  return made;
}
