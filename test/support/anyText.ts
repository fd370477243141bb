import fc from "fast-check";

/** Text of any characters, half of them ASCII. `fc.string({ unit: "binary" })` takes a second to begin. */
export function anyText(
  length: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  const character = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10_ffff }));
  return fc.array(character, length).map((codes) => String.fromCodePoint(...codes));
}
