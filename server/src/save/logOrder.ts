import { type JsonValue, printJson } from "../base/json.ts";
import { logMembers, numberIn } from "./logRows.ts";

/** Place of a log in the chain. */
export type LogPlace = readonly [block: number, transaction: number, log: number];

export function comparePlaces(a: LogPlace, b: LogPlace): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/**
 * Returns logs in the order of the chain, each once. They come back as they are if they have that order.
 *
 * @returns `undefined` if one is not a log with a place, or two logs have the same.
 */
export function inPlace(
  logs: readonly JsonValue[],
): { readonly logs: readonly JsonValue[]; readonly repeated: number } | undefined {
  const membersAt = logMembers(logs);
  const places: LogPlace[] = [];
  let isOrdered = true;
  for (let index = 0; index < logs.length; index++) {
    const [block, transaction, log, topics] = membersAt(index);
    const place = [numberIn(block) ?? Number.NaN, numberIn(transaction) ?? 0, numberIn(log) ?? Number.NaN] as const;
    if (Number.isNaN(place[0] + place[2]) || !topics?.startsWith("[")) return undefined;
    const last = places.at(-1);
    isOrdered &&= !last || comparePlaces(last, place) < 0;
    places.push(place);
  }
  return isOrdered ? { logs, repeated: 0 } : sorted(logs, places);
}

function sorted(logs: readonly JsonValue[], places: readonly LogPlace[]): ReturnType<typeof inPlace> {
  const placed = places.map((place, index) => ({ place, log: logs[index] ?? null }));
  placed.sort((a, b) => comparePlaces(a.place, b.place));
  const once: JsonValue[] = [];
  for (const [at, { log, place }] of placed.entries()) {
    const before = placed[at - 1];
    if (!before || comparePlaces(before.place, place) !== 0) once.push(log);
    else if (printJson(before.log) !== printJson(log)) return undefined;
  }
  return { logs: once, repeated: logs.length - once.length };
}
