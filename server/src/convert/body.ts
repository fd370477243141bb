import { brief } from "../base/text.ts";
import { readCell } from "../notebook/readCell.ts";
import { type Note, placeIn, type Quoted, trimmed } from "./imported.ts";

export interface Body {
  readonly text: string;
  readonly notes: readonly Note[];
}

/**
 * Reads what was sent as the body of a request. Every number, key and space stays as it is; only placeholders that
 * stand without quotes, as Postman and shells fill them in, are put into quotes, and lines end as they do in notebooks.
 * Comments, which Postman and editors take out before they send, are left out.
 */
export function readBody(written: Quoted): Body {
  const whole = tidied(trimmed(written), false);
  const bare = readCell(whole.text).faults.length > 0 ? trimmed(tidied(trimmed(written), true)) : whole;
  const isCommented = bare !== whole && bare.text !== whole.text && readCell(bare.text).faults.length === 0;
  const body = isCommented ? bare : whole;
  const { text } = body;
  const { faults, requests, root, kind } = readCell(text);
  const note = (offset: number, what: string): Note => ({ at: placeIn(body, offset), severity: "error", what });
  const [fault] = faults;
  if (fault) return { text, notes: [note(fault.span.start, `The body is not JSON: ${brief(fault.what)}.`)] };
  if (kind === "opaque") return { text, notes: [note(0, "The body nests deeper than 512 levels.")] };
  if (text === "" || !root) return { text, notes: [note(0, "There is no body, so no request.")] };
  if (requests.some(({ method }) => method === undefined) || requests.length === 0)
    return { text, notes: [note(root.offset, "The body is not a JSON-RPC request: it has no `method`.")] };
  const left: Note = { at: placeIn(body, 0), severity: "note", what: "Comments in the body are left out." };
  return { text, notes: isCommented ? [left] : [] };
}

/** A placeholder outside of strings becomes a string that is one placeholder, which keeps the type of its value. */
function tidied({ text, places }: Quoted, withoutComments: boolean): Quoted {
  let made = "";
  const madePlaces: number[] = [];
  for (const { 0: token, 1: placeholder, 2: comment, index } of text.matchAll(
    /"(?:[^"\\]|\\[\s\S])*"?|(\{\{[^{}"\r\n]{1,200}\}\})|(\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$))|\r\n?|[\s\S]/g,
  )) {
    if (comment !== undefined && withoutComments) continue;
    const said = placeholder !== undefined ? `"${token}"` : token.startsWith("\r") ? "\n" : token;
    made += said;
    const own = places.slice(index, index + token.length);
    const before = said.length > token.length ? own.slice(0, 1) : [];
    for (const place of [...before, ...own, ...own.slice(-1)].slice(0, said.length)) madePlaces.push(place);
  }
  return { text: made, places: [...madePlaces, places.at(-1) ?? 0] };
}
