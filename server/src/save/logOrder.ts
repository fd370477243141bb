import { isObject, type JsonValue, printJson } from "../base/json.ts";
import { itemTexts } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import { comparePlaces, type LogPlace, placeOfLog } from "./logColumns.ts";

/**
 * Returns logs in the order of the chain, each once. They come back as they are if they have that order.
 *
 * @returns `undefined` if one has no place, or two logs have the same.
 */
export function inPlace(
  logs: readonly JsonValue[],
): { readonly logs: readonly JsonValue[]; readonly repeated: number } | undefined {
  const placeAt = placesOf(logs);
  let last: LogPlace | undefined;
  let isOrdered = true;
  for (let index = 0; index < logs.length; index++) {
    const place = placeAt(index);
    if (!place) return undefined;
    isOrdered &&= !last || comparePlaces(last, place) < 0;
    last = place;
  }
  return isOrdered ? { logs, repeated: 0 } : sorted(logs, placeAt);
}

function placesOf(logs: readonly JsonValue[]): (index: number) => LogPlace | undefined {
  const textAt = itemTexts(logs);
  if (!textAt)
    return (index) => {
      const log = logs[index];
      return isObject(log) ? placeOfLog(log) : undefined;
    };
  const unquoted = (text: string | undefined): string | null => (text?.startsWith('"') ? text.slice(1, -1) : null);
  return (index) => {
    const [block, transaction, log] = memberTexts(textAt(index), members);
    const [blockNumber, transactionIndex, logIndex] = [unquoted(block), unquoted(transaction), unquoted(log)];
    return placeOfLog({ blockNumber, transactionIndex, logIndex });
  };
}

const members = ["blockNumber", "transactionIndex", "logIndex"];

function sorted(
  logs: readonly JsonValue[],
  placeAt: (index: number) => LogPlace | undefined,
): ReturnType<typeof inPlace> {
  const places = logs.map((log, index) => ({ log, place: placeAt(index) ?? ([0, 0, 0] as const) }));
  places.sort((a, b) => comparePlaces(a.place, b.place));
  const once: JsonValue[] = [];
  for (const [at, { log, place }] of places.entries()) {
    const before = places[at - 1];
    if (!before || comparePlaces(before.place, place) !== 0) once.push(log);
    else if (printJson(before.log) !== printJson(log)) return undefined;
  }
  return { logs: once, repeated: logs.length - once.length };
}
