import { type Span, span } from "../base/span.ts";

/** An address under the pointer in a text of any language. */
export interface FoundAddress {
  readonly address: string;
  readonly span: Span;
}

/**
 * The address that an offset lies in: `0x` and forty hex digits with no letter, digit or underscore beside them, so
 * never a part of a hash or of an identifier.
 *
 * @param text - A line, or some text around the offset.
 */
export function addressIn(text: string, offset: number): FoundAddress | undefined {
  const from = Math.max(0, offset - 42);
  for (const { 0: address, index } of text.slice(from, offset + 43).matchAll(/0[xX][0-9a-fA-F]{40}/g)) {
    const start = from + index;
    const end = start + address.length;
    if (offset < start || offset > end) continue;
    if (isWordMark(text.charAt(start - 1)) || isWordMark(text.charAt(end))) continue;
    return { address: `0x${address.slice(2)}`, span: span(start, end) };
  }
  return undefined;
}

function isWordMark(mark: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(mark);
}
