import { type StoredWord, storedWord } from "../abi/storageSearch.ts";
import { isHex, isWord } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { wellKnownSlot } from "../catalog/slots.ts";
import type { Field, Section } from "./report.ts";
import { addressShown, inlineText } from "./shown.ts";
import { partField, partShown } from "./stored.ts";
import type { View, ViewContext } from "./view.ts";
import { valueView } from "./view.ts";
import { wordShown } from "./word.ts";

/**
 * The result of `eth_getStorageAt`: the values that the layout of the contract has in the slot, the meaning of a slot
 * that contracts agree on, else what the word may be.
 */
export function storageView(word: JsonValue, { labels, params, scope }: ViewContext): View {
  const stored = scope && isWord(word) ? storedWord(scope, params, labels) : undefined;
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
