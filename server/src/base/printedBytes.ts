/** A part of a text with binary data, as bytes. */
export interface PrintedBytes {
  /** Two digits for each. */
  readonly hex: string;
  /** Where each is in the text, and where the last one ends. */
  readonly at: readonly number[];
}

/** What binary data nearly always has: escapes of bytes, and characters beyond ASCII that are one byte. */
const binary = /\\(?:x|u00|u\{|[0-3][0-7]{2})|%[\da-f]{2}|[\0-\x08\x0e-\x1f\x7f-\xff]/gi;
/** Binary data has so many of them, with no more than so many characters from one to the next and at its ends. */
const [least, farthest] = [3, 48];

/** What stands for one byte, by how backslashes are written: as themselves, as escapes, as escapes within JSON. */
const printed = [/%(?<percent>[\da-f]{2})|(?<char>[\s\S])/giu, printedAfter("\\\\"), printedAfter("\\\\\\\\")] as const;

/** Escapes of Python, C, Perl, Postgres, JSON and URLs; other characters are bytes themselves. */
function printedAfter(slash: string): RegExp {
  const hex = String.raw`[xu]\{(?<braced>[\da-f]{1,2})\}|x(?<x>[\da-f]{1,2})|u00(?<u>[\da-f]{2})`;
  const others = String.raw`(?<octal>[0-3][0-7]{2})|(?<letter>[abtnvfr])|(?<sign>${slash}|\\?['"])`;
  return new RegExp(String.raw`${slash}(?:${hex}|${others})|\\?(?<char>[\s\S])`, "giu");
}

const named = new Map([..."abtnvfr"].map((letter, at) => [letter, [7, 8, 9, 10, 11, 12, 13][at] ?? 0]));

/** Reads binary data in a text: `b"\x7f:\xab"` has the bytes 7f 3a ab. */
export function* printedBytes(text: string): Generator<PrintedBytes> {
  let [first, last, count] = [0, 0, 0];
  for (const { index } of text.matchAll(binary)) {
    if (index - last > farthest) {
      if (count >= least) yield* bytesIn(text, first, last);
      [first, count] = [index, 0];
    }
    last = index;
    count++;
  }
  if (count >= least) yield* bytesIn(text, first, last);
}

function* bytesIn(text: string, first: number, last: number): Generator<PrintedBytes> {
  const [start, end] = [Math.max(0, first - farthest), Math.min(text.length, last + farthest)];
  for (const pattern of printed) {
    const [digits, at]: [string[], number[]] = [[], []]; // matches are not kept: they take much more memory
    for (const read of text.slice(start, end).matchAll(pattern)) {
      digits.push(digitsOf(read));
      at.push(start + read.index);
    }
    at.push(end);
    yield { hex: digits.join(""), at };
  }
}

function digitsOf({ groups = {} }: RegExpExecArray): string {
  const { braced, x, u, percent, octal, letter, sign, char } = groups;
  const hex = braced ?? x ?? u ?? percent;
  if (hex !== undefined) return hex.padStart(2, "0");
  const last = (sign ?? char)?.at(-1) ?? ""; // the sign may be escaped once more
  const code = octal ? Number.parseInt(octal, 8) : (named.get(letter?.toLowerCase() ?? "") ?? last.charCodeAt(0));
  return code > 0xff ? "--" : code.toString(16).padStart(2, "0");
}
