import type { Suggestion } from "./suggestion.ts";

/**
 * Ranks suggestions by the words that a person types, such as `balance of token`, and leaves out those that do not fit.
 * Requests come before functions and events that fit as well. What fits a text also fits its beginnings.
 */
export function byWords(suggestions: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return suggestions;
  const [verb = "", ...object] = wanted;
  const texts = small.includes(verb) && object.length > 0 ? [wanted, object] : [wanted];
  const isName = /[a-z][A-Z]/.test(typed); // as contracts write names
  return suggestions
    .flatMap((suggestion) => {
      const far = isName && suggestion.label === typed ? -1 : least(texts.map((words) => distance(suggestion, words)));
      return far === undefined ? [] : [{ suggestion, rank: 2 * far + (isCallable(suggestion) ? 1 : 0) }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ suggestion }) => suggestion);
}

function least(all: readonly (number | undefined)[]): number | undefined {
  const known = all.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function isCallable({ kind }: Suggestion): boolean {
  return kind === "function" || kind === "event";
}

/**
 * Returns the text that an editor filters a suggestion by: what is typed, so that every editor keeps the order, and then
 * what may be typed next.
 */
export function foundBy({ label, words = [], typed: known = label }: Suggestion, typed: string): string {
  if (typed === "" || typed === known) return known;
  const letters = squeezed(typed);
  const begun = words.find((one) => squeezed(one).startsWith(letters));
  return `${typed}${begun === undefined ? "" : restOf(begun, letters.length)} ${words.join(" ")} ${known}`;
}

/** Returns the rest of a phrase after some letters of it. */
function restOf(phrase: string, letters: number): string {
  let at = 0;
  for (let left = letters; left > 0; at++) if (/[a-z\d]/i.test(phrase.charAt(at))) left--;
  return phrase.slice(at);
}

/** Words in lower case: those of `getLogs` and of `get logs` are the same. */
export function wordsOf(text: string): readonly string[] {
  return (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase());
}

/** The letters and digits of a text in lower case, remembered: every letter that is typed asks for those of every name. */
function squeezed(text: string): string {
  const known = squeezedTexts.get(text);
  if (known !== undefined) return known;
  const letters = text.toLowerCase().replace(/[^a-z\d]/g, "");
  if (squeezedTexts.size >= maxRemembered) squeezedTexts.clear();
  squeezedTexts.set(text, letters);
  return letters;
}

const squeezedTexts = new Map<string, string>();
const maxRemembered = 30_000;

/** From 0 for the very words to 4 for letters in their order; `undefined` if it does not fit. */
function distance(suggestion: Suggestion, wanted: readonly string[]): number | undefined {
  const { label, words = [] } = suggestion;
  const letters = wanted.join("");
  const name = label.includes(" ") ? "" : squeezed(label); // with spaces, it is a sentence
  const names = [name, ...words.map(squeezed)];
  if (names.includes(letters)) return 0;
  names.push(name === "" ? "" : squeezed(label.replace(/^[a-z]+\d?_(?:get)?/, "")));
  if (names.some((one) => one.startsWith(letters))) return 1;
  const given = names.join(" ");
  if (
    wanted.every((word) => given.includes(word.replace(/s$/, "")) || isSmall(word)) &&
    areIn(wanted, [label, ...words])
  )
    return 2;
  const all = [...names, squeezed(suggestion.typed ?? "")];
  if (all.some((one) => one.includes(letters))) return 3;
  return all.some((one) => isSpreadIn(letters, one)) ? 4 : undefined;
}

/** Words that people write between those that matter. */
const small = ["a", "an", "and", "at", "by", "does", "for", "from", "get", "in", "is", "of", "on", "show", "the", "to"];

function isSmall(word: string): boolean {
  return small.some((one) => one.startsWith(word));
}

/** Returns whether each word that matters begins one of the given. */
function areIn(wanted: readonly string[], texts: readonly string[]): boolean {
  const given = texts.flatMap(wordsOf);
  const isIn = (word: string): boolean => given.some((one) => one.startsWith(word) || `${one}s` === word);
  return wanted.some((word) => !isSmall(word) && isIn(word)) && wanted.every((word) => isIn(word) || isSmall(word));
}

function isSpreadIn(letters: string, text: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
