import { type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import { openLogCheck } from "./logCheck.ts";
import { logMembers, numberIn } from "./logRows.ts";

/** Place of a log in the chain. */
export type LogPlace = readonly [block: number, transaction: number, log: number];

export function comparePlaces(a: LogPlace, b: LogPlace): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

type OrderedLogs =
  | { readonly logs: readonly JsonValue[]; readonly repeated: number }
  /** What the endpoint must not send, with its place. */
  | { readonly fault: string };

const members = ["blockNumber", "transactionIndex", "logIndex", "topics", "address", "blockHash", "removed"];

/**
 * Returns the logs of an answer in the order of the chain, each once. They come back as they are if they have that order.
 *
 * @param criteria - The filter that was asked for.
 */
export function inPlace(logs: readonly JsonValue[], criteria: JsonObject): OrderedLogs {
  const [membersAt, wrongIn] = [logMembers(logs, members), openLogCheck(criteria)];
  const places: LogPlace[] = [];
  let isOrdered = true;
  for (let index = 0; index < logs.length; index++) {
    const [blockText, transaction, log, topics, address, blockHash, removed] = membersAt(index);
    const block = numberIn(blockText) ?? Number.NaN;
    const place = [block, numberIn(transaction) ?? 0, numberIn(log) ?? Number.NaN] as const;
    if (Number.isNaN(block + place[2]) || !topics?.startsWith("["))
      return { fault: `something other than logs with a place in the chain: item ${index} of an answer` };
    const wrong = wrongIn({ block, topics, address, blockHash, removed });
    if (wrong !== undefined) return { fault: `${wrong}: ${placeText(place)}` };
    const last = places.at(-1);
    isOrdered &&= !last || comparePlaces(last, place) < 0;
    places.push(place);
  }
  return isOrdered ? { logs, repeated: 0 } : sorted(logs, places);
}

function sorted(logs: readonly JsonValue[], places: readonly LogPlace[]): OrderedLogs {
  const placed = places.map((place, index) => ({ place, log: logs[index] ?? null }));
  placed.sort((a, b) => comparePlaces(a.place, b.place));
  const once: JsonValue[] = [];
  for (const [at, { log, place }] of placed.entries()) {
    const before = placed[at - 1];
    if (!before || comparePlaces(before.place, place) !== 0) once.push(log);
    else if (printJson(before.log) !== printJson(log))
      return { fault: `two different logs at one place: ${placeText(place)}` };
  }
  return { logs: once, repeated: logs.length - once.length };
}

function placeText([block, , log]: LogPlace): string {
  return `block ${grouped(block)}, log ${grouped(log)}`;
}
