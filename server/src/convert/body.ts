import { brief } from "../base/text.ts";
import { readCell } from "../notebook/readCell.ts";
import { type Note, placeIn, type Quoted, trimmed } from "./imported.ts";

export interface Body {
  readonly text: string;
  readonly notes: readonly Note[];
}

/**
 * Reads what was sent as the body of a request. Every number, key and space stays as it is; only placeholders that
 * stand without quotes, as Postman and shells fill them in, are put into quotes.
 */
export function readBody(written: Quoted): Body {
  const body = quotedPlaceholders(trimmed(written));
  const { text } = body;
  const { faults, requests, root, kind } = readCell(text);
  const note = (offset: number, what: string): Note => ({ at: placeIn(body, offset), severity: "error", what });
  const [fault] = faults;
  if (fault) return { text, notes: [note(fault.span.start, `The body is not JSON: ${brief(fault.what)}.`)] };
  if (kind === "opaque") return { text, notes: [note(0, "The body nests deeper than 512 levels.")] };
  if (text === "" || !root) return { text, notes: [note(0, "There is no body, so no request.")] };
  if (requests.some(({ method }) => method === undefined) || requests.length === 0)
    return { text, notes: [note(root.offset, "The body is no JSON-RPC request: it has no `method`.")] };
  return { text, notes: [] };
}

/** A placeholder outside of strings becomes a string that is one placeholder, which keeps the type of its value. */
function quotedPlaceholders({ text, places }: Quoted): Quoted {
  let made = "";
  const madePlaces: number[] = [];
  for (const { 0: token, 1: bare, index } of text.matchAll(
    /"(?:[^"\\]|\\[\s\S])*"?|(\{\{[^{}"\r\n]{1,200}\}\})|[\s\S]/g,
  )) {
    const [before, after] = bare === undefined ? ["", ""] : ['"', '"'];
    made += before + token + after;
    const own = places.slice(index, index + token.length);
    const [first = 0, last = 0] = [own[0], own.at(-1)];
    if (bare !== undefined) madePlaces.push(first);
    for (const place of own) madePlaces.push(place);
    if (bare !== undefined) madePlaces.push(last);
  }
  return { text: made, places: [...madePlaces, places.at(-1) ?? 0] };
}
