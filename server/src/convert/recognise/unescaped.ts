/** JSON inside of strings of JSON loses its escapes, and BigNumber objects become their hex. */
export function unescaped(text: string): string {
  let plain = text;
  for (let level = 0; level < 3 && plain.includes('\\"'); level++)
    plain = plain.replace(/(?<!\\)\\+"/g, '"').replace(/(?<!\\)\\+n/g, "\n");
  return plain.replace(/\{\s*"?(?:type"?\s*:\s*"BigNumber"\s*,\s*"?hex|_hex)"?\s*:\s*("0x[\da-fA-F]*")[^{}]*\}/g, "$1");
}
