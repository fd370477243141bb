import { readBody } from "./body.ts";
import { type Entry, type Header, type Imported, isOwnHeader, type Note } from "./importModel.ts";
import { wordAt } from "./quoted.ts";
import { jsonOf, readArguments, type ScriptValue } from "./scriptValues.ts";

/** Calls of `fetch`, also as a method: `window.fetch(`. */
const call = /(?<![\w$])fetch\s*\(/g;

export function looksLikeFetch(text: string): boolean {
  return text.search(call) >= 0;
}

/**
 * Reads the calls of `fetch` in a script, as browsers copy them and as people write them. Nothing runs: an address, a
 * header or a body that has to be computed is left out with a note.
 *
 * @see https://developer.mozilla.org/docs/Web/API/fetch
 */
export function readFetch(text: string): Imported {
  const entries: Entry[] = [];
  const notes: Note[] = [];
  const calls = new RegExp(call);
  for (let match = calls.exec(text); match; match = calls.exec(text)) {
    const { values, end } = readArguments(text, match.index + match[0].length);
    calls.lastIndex = end;
    const read = readCall(values, match.index);
    entries.push(...read.entries);
    notes.push(...read.notes);
  }
  return { entries, notes, variables: new Map() };
}

function readCall([address, options]: readonly ScriptValue[], at: number): Pick<Imported, "entries" | "notes"> {
  const body = bodyOf(memberOf(options, "body"));
  if (body === undefined) {
    const what = "The body of this `fetch` is computed, so the request is left out.";
    return { entries: [], notes: [{ at, severity: "error", what }] };
  }
  const { text, notes } = readBody(wordAt(body.text, body.at));
  const url = address?.kind === "string" ? address.text : undefined;
  const { headers, isComplete } = headersOf(memberOf(options, "headers"));
  const lost: Note[] = [
    ...(url === undefined ? ["The address of this `fetch` is computed, so it is left out."] : []),
    ...(isComplete ? [] : ["Some headers of this `fetch` are computed, so they are left out."]),
  ].map((what) => ({ at, severity: "note", what }));
  const target = url === undefined ? undefined : { url, headers, at: address?.kind === "string" ? address.at : at };
  return { entries: [{ kind: "request", body: text, name: undefined, target }], notes: [...lost, ...notes] };
}

function memberOf(value: ScriptValue | undefined, name: string): ScriptValue | undefined {
  return value?.kind === "object" ? value.members.findLast(([key]) => key === name)?.[1] : undefined;
}

function bodyOf(value: ScriptValue | undefined): { readonly text: string; readonly at: number } | undefined {
  if (value?.kind === "string") return value;
  const text = value?.kind === "json" ? jsonOf(value.value) : undefined;
  return value?.kind === "json" && text !== undefined ? { text, at: value.at } : undefined;
}

/** Headers that browsers add to a call that they copy. */
const browserHeaders = /^(?:accept-language|cache-control|pragma|dnt|priority|te|origin|referer|sec-.*)$/i;

function headersOf(value: ScriptValue | undefined): {
  readonly headers: readonly Header[];
  readonly isComplete: boolean;
} {
  if (value === undefined) return { headers: [], isComplete: true };
  const members = value.kind === "object" ? value.members : [];
  const named = members.filter(([name]) => !isOwnHeader(name) && !browserHeaders.test(name));
  const headers = named.flatMap(([name, one]) => (one.kind === "string" ? [{ name, value: one.text }] : []));
  return { headers, isComplete: value.kind === "object" && headers.length === named.length };
}
