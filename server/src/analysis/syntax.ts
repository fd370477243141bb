import { type Span, span } from "../base/span.ts";
import type { Cell, SyntaxFault } from "../notebook/cell.ts";

/** A `curl` command, as documentation has it, behind the prompt of a shell or none. */
export const curlCommand = /^\s*(?:[$>]\s*)?(curl(?:\.exe)?)\s/;

/** The faults of a cell's JSON; those that come of something pasted or half known say what to do instead. */
export function syntaxProblems({ text, faults }: Cell): readonly SyntaxFault[] {
  if (faults.length === 0) return faults;
  const pasted = curlCommand.exec(text);
  if (pasted) {
    const start = pasted[0].indexOf("curl");
    const what = "this is a `curl` command; paste the JSON of its `--data` in place of it";
    return [{ code: "json-syntax", span: span(start, start + (pasted[1]?.length ?? 0)), what }];
  }
  const loose = faults.flatMap(({ span: at }) => placeholderAt(text, at) ?? []);
  return faults.flatMap((fault) => {
    const around = loose.find(({ start, end }) => start <= fault.span.start && fault.span.start < end);
    if (!around) return [{ ...fault, what: clearer(text, fault) ?? fault.what }];
    if (around.start + 1 !== fault.span.start) return [];
    return [{ ...fault, span: around, what: "placeholders belong inside a string, in double quotes" }];
  });
}

/** A placeholder without quotes: the parser stumbles over its second brace. */
function placeholderAt(text: string, { start }: Span): Span | undefined {
  const found =
    text[start] === "{" && text[start - 1] === "{"
      ? /^\{\{[^{}"\r\n]{1,200}\}\}/.exec(text.slice(start - 1, start + 204))
      : null;
  return found ? span(start - 1, start - 1 + found[0].length) : undefined;
}

function clearer(text: string, { span: at }: SyntaxFault): string | undefined {
  const token = text.slice(at.start, at.end);
  if (/^(?:\.{3}|…|<[^<>]+>$)/.test(token)) return "this is a sample: write your own value";
  if (/^[“”„«»]/.test(token)) return "strings need straight double quotes";
  if (/^\s$/.test(token)) return `this space (U+${hexOf(token)}) is not allowed in JSON`;
  return undefined;
}

function hexOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}
