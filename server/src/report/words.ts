import { checksummed } from "../abi/address.ts";
import { type InWords, type KnownNames, maxSentence, type WordsField } from "../abi/clearSigning.ts";
import type { JsonObject } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { chain } from "../catalog/catalog.ts";
import type { Field, Section } from "./report.ts";
import { addressShown, inlineText, type Labels } from "./shown.ts";
import { symbolText, type Tokens } from "./tokens.ts";

/** A call with what its descriptor says of it. */
export interface SaidCall {
  readonly to: string;
  readonly words: InWords;
}

/** Calls of one answer that are listed. */
const maxListed = 50;
/** Fields of a call, and of the calls in it, that are shown. */
const maxFields = 60;

/**
 * Returns the names that a sentence uses.
 *
 * @param chainId - The chain of the tokens. Labels hold on every chain.
 */
export function knownNames(labels: Labels, tokens: Tokens, chainId: bigint | undefined): KnownNames {
  return {
    label: (address) => labels.get(address.toLowerCase()),
    token(chain, address) {
      const token = chainId === undefined || chain === chainId ? tokens.get(address) : undefined;
      return token && { symbol: symbolText(token.symbol), decimals: token.decimals };
    },
    chain,
  };
}

/** The sentence of a descriptor, or its intent with its values: `Approve: Spender Treasury, Amount 100 USDC`. */
export function wordsText(words: InWords): string {
  return textOf(words, { fieldsLeft: maxFields });
}

/** Each value is cut, and never the list of them: an amount at its end would be missing. */
function textOf({ sentence, intent, fields }: InWords, room: Room): string {
  if (sentence !== undefined) return oneLine(sentence, maxSentence);
  const values: string[] = [];
  for (const field of fields) {
    if (room.fieldsLeft-- <= 0) break;
    values.push(`${oneLine(field.label, 40)} ${fieldText(field, room)}`);
  }
  const left = fields.length - values.length;
  const more = left === 0 ? [] : [`and ${plural(left, "more value")}`];
  const listed = [values.join(", "), ...more].filter((part) => part !== "").join(" ");
  return [oneLine(intent, 80), listed].filter((part) => part !== "").join(": ");
}

/** Of a text, with the calls inside. */
interface Room {
  fieldsLeft: number;
}

/** Who says so. Attestations are not read, so no descriptor is ever called verified. */
export function wordsOrigin({ origin }: InWords): string {
  return oneLine(origin, 120);
}

function fieldText({ value, unitOf, call }: WordsField, room: Room = { fieldsLeft: maxFields }): string {
  if (call) return textOf(call, room);
  return unitOf === undefined
    ? oneLine(value, 200)
    : `${oneLine(value, 100)} in the smallest unit of ${checksummed(unitOf)}`;
}

/** Shows what descriptors say, beside the calls themselves: one call field by field, several as a list. */
export function wordsSections(calls: readonly SaidCall[], labels: Labels): readonly Section[] {
  const [only, ...others] = calls;
  if (!only) return [];
  if (others.length === 0) {
    const fields = [...fieldsOf(only.words, "")];
    return [
      {
        kind: "fields",
        title: "In words",
        fields: [
          { name: "says", value: { text: wordsText(only.words) } },
          ...fields.slice(0, maxFields),
          { name: "source", value: { text: wordsOrigin(only.words), also: ownerOf(only.words) } },
        ],
      },
      ...cut(fields.length, maxFields, "value"),
    ];
  }
  const listed = calls.slice(0, maxListed).map(
    ({ to, words }): Field => ({
      name: inlineText(addressShown(to, labels)),
      value: { text: `${wordsText(words)} (${wordsOrigin(words)})`, also: ownerOf(words) },
    }),
  );
  return [{ kind: "fields", title: "In words", fields: listed }, ...cut(calls.length, maxListed, "call")];
}

function ownerOf({ owner }: InWords): readonly string[] {
  return owner === undefined ? [] : [`the descriptor says that the contract belongs to ${oneLine(owner, 80)}`];
}

function cut(count: number, most: number, what: string): readonly Section[] {
  return count > most ? [{ kind: "note", text: `In words: only the first ${most} of ${plural(count, what)}.` }] : [];
}

function* fieldsOf({ fields }: InWords, prefix: string): Generator<Field> {
  for (const field of fields) {
    const group = field.group === undefined ? "" : `${oneLine(field.group, 40)} › `;
    const name = `${prefix}${group}${oneLine(field.label, 60)}`;
    const source = field.call && wordsOrigin(field.call);
    yield { name, value: { text: fieldText(field), ...(source !== undefined && { also: [source] }) } };
    if (field.call) yield* fieldsOf(field.call, `${name} › `);
  }
}

export function wordsJson(calls: readonly SaidCall[]): readonly JsonObject[] {
  return calls.slice(0, maxListed).map(({ to, words }) => ({
    to,
    text: wordsText(words),
    fields: words.fields.map((field) => ({ label: oneLine(field.label, 60), value: fieldText(field) })),
    source: wordsOrigin(words),
  }));
}
