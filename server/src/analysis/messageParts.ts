import { brief, listed } from "../base/text.ts";
import type { ProblemCode, ProblemWith } from "./problem.ts";

/** The message of each problem of a subject: what is wrong, then what to do. Plain text. */
export type Messages<Code extends ProblemCode> = { readonly [Own in Code]: (problem: ProblemWith<Own>) => string };

/** Quotes a name. Names come from notebooks of anyone: without backticks they cannot leave their quotes. */
export function code(text: string): string {
  const shown = text === text.trim() && text !== "" ? text : JSON.stringify(text); // else the space is invisible
  return `\`${brief(shown, 60).replaceAll("`", "'")}\``;
}

/** Quotes a declaration, which may be long: keeps its end, which distinguishes it from others. */
export function declaration(text: string): string {
  return `\`${brief(text, 200).replaceAll("`", "'")}\``;
}

export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : ` Did you mean ${listed(names.map(code), "or")}?`;
}

/** A sentence of the catalogue behind one of ours. */
export function sentence(why: string | undefined): string {
  return why === undefined ? "" : ` ${why}`;
}
