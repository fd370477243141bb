import type { Section } from "./report.ts";

/** Declarations that a note lists. */
const maxGuesses = 6;

/** A note on the bundled declarations used in the tables; fields name their own. */
export function guessNote(sections: readonly Section[]): readonly Section[] {
  const guesses = new Set<string>();
  for (const section of sections) {
    for (const row of section.kind === "table" ? section.rows : [])
      for (const { guess } of row) if (guess !== undefined) guesses.add(guess);
  }
  if (guesses.size === 0) return [];
  const more = guesses.size - maxGuesses;
  const names = [...guesses].slice(0, maxGuesses).join("; ");
  const text = `Decoded as ${names}${more > 0 ? `; and ${more} more` : ""} (a guess: the project has no ABI for ${guesses.size > 1 ? "them" : "it"}).`;
  return [{ kind: "note", text }];
}
