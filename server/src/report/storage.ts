import { bytesHead, bytesSlots, bytesValue, packedValue, type Words } from "../abi/slots.ts";
import type { StorageType } from "../abi/storageLayout.ts";
import { bytesTaken, type SlotPart, type StoredWord, storedWord } from "../abi/storageSearch.ts";
import { isHex, isWord } from "../base/hex.ts";
import { isArray, type JsonValue } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { wellKnownSlot } from "../catalog/slots.ts";
import type { Field, Section, Shown } from "./report.ts";
import { abiShown, addressShown, badShown, bytesShown, inlineText, type Labels } from "./shown.ts";
import { type View, type ViewContext, valueView } from "./view.ts";
import { wordShown } from "./word.ts";

/**
 * The result of `eth_getStorageAt`: the values that the layout of the contract has in the slot, the meaning of a slot
 * that contracts agree on, else what the word may be.
 */
export function storageView(word: JsonValue, { labels, params, scope }: ViewContext): View {
  const stored = scope && isWord(word) ? storedWord(scope.layouts, scope.places, params, labels) : undefined;
  if (stored && isWord(word)) return storedView(stored, word, labels);
  const slot = isArray(params) ? params[1] : undefined;
  const known = isHex(slot) && slot.length <= 66 ? wellKnownSlot(slot) : undefined;
  if (known === undefined) return valueView(wordShown(word, labels));
  const isAddress = known.holds === "address" && isHex(word) && /^0x0{24}/.test(word) && word.length === 66;
  const empty = isAddress && /^0x0+$/.test(word);
  const shown = isAddress ? addressShown(`0x${word.slice(26)}`, labels) : wordShown(word, labels);
  const slotField: Field = { name: "slot", value: { text: known.name, also: [known.summary] } };
  return {
    summary: empty ? "zero: nothing is set" : inlineText(shown),
    sections: [
      { kind: "fields", fields: [slotField] },
      ...(isHex(word) ? [{ kind: "exact" as const, forms: [word] }] : []),
    ],
  };
}

/** The value that was asked for, then its neighbours in the word. */
function storedView({ layout, asked, parts, byLabel }: StoredWord, word: string, labels: ViewContext["labels"]): View {
  const inWord: StoredWord["parts"] = parts.filter(
    ({ type, offset }) => type === asked?.type && offset === asked.offset,
  );
  const own: StoredWord["parts"] = inWord.length === 0 && asked?.type.kind === "value" ? [asked] : inWord; // the length of a list is not in `parts`
  const others = parts.filter((part) => !own.includes(part) && part.path !== own[0]?.path);
  const [first] = own;
  const summary = first
    ? inlineText(partShown(first, word, labels))
    : others.map((part) => `${part.path} ${inlineText(partShown(part, word, labels))}`).join(" · ");
  const fields = (title: string | undefined, list: typeof parts): readonly Section[] =>
    list.length === 0
      ? []
      : [
          {
            kind: "fields",
            ...(title !== undefined && { title }),
            fields: list.map((part) => partField(part, word, labels)),
          },
        ];
  const note = `Read with the storage layout of ${oneLine(layout.contract, 80)}, which is the label of the address.`;
  return {
    summary: oneLine(summary, 200),
    sections: [
      ...fields(undefined, own),
      ...fields(first ? "In the same slot" : undefined, others),
      ...elsewhere(asked),
      ...(byLabel ? [{ kind: "note" as const, text: note }] : []),
      { kind: "exact", forms: [word, ...(asked ? [`slot ${oneLine(asked.formula, 200)}`] : [])] },
    ],
  };
}

/** Names the members of a struct that are not in its first slot. */
function elsewhere(asked: StoredWord["asked"]): readonly Section[] {
  const members = asked?.type.kind === "struct" ? asked.type.members.filter(({ slot }) => slot > 0n) : [];
  if (members.length === 0) return [];
  const names = members.slice(0, 8).map(({ name }) => oneLine(name, 60));
  const more = members.length > names.length ? ", …" : "";
  return [{ kind: "note", text: `Not in this slot: ${names.join(", ")}${more}. Name a member to read it.` }];
}

export function storedShown(type: StorageType, value: JsonValue | undefined, labels: Labels): Shown {
  if (value === undefined) return { text: "not read" };
  switch (type.kind) {
    case "value":
      return abiShown(value, type.abi.text, labels);
    case "bytes":
    case "string":
      return abiShown(value, type.kind, labels);
    case "array":
      return { text: oneLine(String(value)) };
    case "mapping":
    case "struct":
      return { text: type.label };
  }
}

/** A part of a word: what is stored in it, with its type and its bytes. */
function partField(part: SlotPart, word: string, labels: Labels): Field {
  const { type, path } = part;
  const shown = partShown(part, word, labels);
  const taken = bytesTaken(part);
  const also = [...(shown.also ?? []), oneLine(type.label, 80), ...(taken === undefined ? [] : [taken])];
  return { name: oneLine(path, 120), value: { ...shown, also } };
}

/**
 * What is stored in a part of a word.
 *
 * @param known - Other words of the contract: of a long text that is all there, the text is shown.
 */
export function partShown(
  { type, slot, offset, fromByte }: SlotPart,
  word: string,
  labels: Labels,
  known: Words = new Map(),
): Shown {
  switch (type.kind) {
    case "value":
      return storedShown(type, packedValue(type, word, offset), labels);
    case "bytes":
    case "string":
      return fromByte === undefined
        ? bytesShownIn(word, type.kind, longBytes(slot, word, known))
        : { ...bytesShown(word), also: [`from byte ${fromByte}`] };
    case "array":
      return { text: BigInt(word) === 1n ? "1 item" : `${grouped(BigInt(word))} items`, raw: word };
    case "mapping":
      return { text: "nothing: its values are in other slots" };
    case "struct":
      return { text: type.label };
  }
}

/** Whether a text has all its words among those that are known. */
export function isWholeIn({ type, slot, fromByte }: SlotPart, word: string, known: Words = new Map()): boolean {
  if ((type.kind !== "bytes" && type.kind !== "string") || fromByte !== undefined) return false;
  return bytesHead(word).kind === "short" || longBytes(slot, word, known) !== undefined;
}

/** Bytes of a text that is put together. */
const maxBytes = 1024;

/** @returns `undefined` if not all its words are known. */
function longBytes(slot: bigint, word: string, known: Words): string | undefined {
  const head = bytesHead(word);
  if (head.kind !== "long" || head.length > maxBytes) return undefined;
  const words = bytesSlots(slot, Number(head.length)).map((one) => known.get(one)?.slice(2));
  return words.includes(undefined) ? undefined : `0x${words.join("").slice(0, Number(head.length) * 2)}`;
}

function bytesShownIn(word: string, kind: "bytes" | "string", long: string | undefined): Shown {
  if (long !== undefined) return abiShown(bytesValue(kind, long), kind, new Map());
  const head = bytesHead(word);
  switch (head.kind) {
    case "short":
      return abiShown(bytesValue(kind, head.hex), kind, new Map());
    case "long":
      return { text: `${grouped(head.length)} bytes`, also: ["in other slots, starting at the hash of this one"] };
    case "broken":
      return badShown(word, `not a word of a ${kind}`);
  }
}
