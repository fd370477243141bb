import { bytesHead, bytesValue, packedValue } from "../abi/slots.ts";
import type { StorageType } from "../abi/storageLayout.ts";
import { bytesTaken, type SlotPart } from "../abi/storageSearch.ts";
import type { JsonValue } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { Field, Shown } from "./report.ts";
import { abiShown, badShown, bytesShown, type Labels } from "./shown.ts";

/** A stored value by its type. */
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
export function partField(part: SlotPart, word: string, labels: Labels): Field {
  const { type, path } = part;
  const shown = partShown(part, word, labels);
  const taken = bytesTaken(part);
  const also = [...(shown.also ?? []), oneLine(type.label, 80), ...(taken === undefined ? [] : [taken])];
  return { name: oneLine(path, 120), value: { ...shown, also } };
}

/** Shows the value of a part of a word. */
export function partShown({ type, offset, fromByte }: SlotPart, word: string, labels: Labels): Shown {
  switch (type.kind) {
    case "value":
      return storedShown(type, packedValue(type, word, offset), labels);
    case "bytes":
    case "string":
      return fromByte === undefined
        ? bytesShownIn(word, type.kind)
        : { ...bytesShown(word), also: [`from byte ${fromByte}`] };
    case "array":
      return { text: BigInt(word) === 1n ? "1 item" : `${grouped(BigInt(word))} items`, raw: word };
    case "mapping":
      return { text: "nothing: its values are in other slots" };
    case "struct":
      return { text: type.label };
  }
}

function bytesShownIn(word: string, kind: "bytes" | "string"): Shown {
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
