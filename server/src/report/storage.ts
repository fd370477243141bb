import { isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray } from "../base/json.ts";
import { wellKnownSlot } from "../catalog/slots.ts";
import type { Field } from "./report.ts";
import { addressShown, inlineText } from "./shown.ts";
import type { View, ViewContext } from "./view.ts";
import { valueView } from "./view.ts";
import { wordShown } from "./word.ts";

/** The result of `eth_getStorageAt`: the meaning of a slot that contracts agree on, else what the word may be. */
export function storageView(word: JsonValue, { labels, params }: ViewContext): View {
  const slot = isArray(params) ? params[1] : undefined;
  const known = isHex(slot) && slot.length <= 66 ? wellKnownSlot(slot) : undefined;
  if (known === undefined) return valueView(wordShown(word, labels));
  const isAddress = known.holds === "address" && isHex(word) && /^0x0{24}/.test(word) && word.length === 66;
  const empty = isAddress && /^0x0+$/.test(word);
  const shown = isAddress ? addressShown(`0x${word.slice(26)}`, labels) : wordShown(word, labels);
  const slotField: Field = { name: "slot", value: { text: known.name, also: [known.summary] } };
  const raw: readonly Field[] = isHex(word) ? [{ name: "on the wire", value: { text: word, role: "bytes" } }] : [];
  return {
    summary: empty ? "zero: nothing is set" : inlineText(shown),
    sections: [{ kind: "fields", fields: [slotField, ...raw] }],
  };
}
