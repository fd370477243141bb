/**
 * Reads a block as people write it: a tag or a quantity as it is, a number as a quantity.
 *
 * @returns `undefined` for other texts.
 * @example readBlock("1200000"); //=> "0x124f80"
 */
export function readBlock(text: string): string | undefined {
  if (/^\d{1,18}$/.test(text)) return `0x${BigInt(text).toString(16)}`;
  return /^(?:pending|latest|safe|finalized|earliest|0x[0-9a-f]{1,16})$/i.test(text) ? text.toLowerCase() : undefined;
}
