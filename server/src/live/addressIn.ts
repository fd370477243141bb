import { type Span, span } from "../base/span.ts";

/** An address in a text, with its span. */
export interface AddressSpan {
  readonly address: string;
  readonly span: Span;
}

/**
 * Returns the address at an offset: `0x` and 40 hex digits, with no letter, digit or underscore beside them. A part of a
 * hash or of an identifier is not an address.
 *
 * @param text - A line, or some text around the offset.
 */
export function addressIn(text: string, offset: number): AddressSpan | undefined {
  const from = Math.max(0, offset - 42);
  for (const { 0: address, index } of text.slice(from, offset + 43).matchAll(/0[xX][0-9a-fA-F]{40}/g)) {
    const start = from + index;
    const end = start + address.length;
    if (offset < start || offset > end) continue;
    if (isWordCharacter(text.charAt(start - 1)) || isWordCharacter(text.charAt(end))) continue;
    return { address: `0x${address.slice(2)}`, span: span(start, end) };
  }
  return undefined;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(character);
}
