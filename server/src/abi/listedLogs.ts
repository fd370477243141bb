import type { JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";
import { textsOf } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import type { CompiledEvent } from "./compiledEvent.ts";
import type { Decoded } from "./decode.ts";
import type { LogReader } from "./decodeLog.ts";
import { logHeads } from "./logHeads.ts";

/** A log that is exactly as an encoder writes it. */
export interface EncodedLog {
  readonly event: CompiledEvent;
  /** Of the arguments of the event. */
  readonly values: readonly Decoded[];
  /** The contract, as the endpoint wrote it. */
  readonly address: JsonValue | undefined;
}

/**
 * Returns how to read the values of a log of a long list from its text, without the rest of it.
 *
 * @returns `undefined` if each log has to be read as a whole. The function does so too, for such a log.
 */
export function listedLogs(list: object, reader: LogReader): ((index: number) => EncodedLog | undefined) | undefined {
  const [textAt, heads] = [textsOf(list), reader.readsData ? undefined : logHeads(list)];
  if (!textAt || !heads) return undefined;
  const sorts = heads.first.map((log) => ({
    event: reader.onlyEvent(log),
    address: isObject(log) ? log.address : undefined,
  }));
  return (index) => {
    const sort = sorts[heads.of[index] ?? 0];
    if (!sort?.event) return undefined;
    const [topics, data = '"0x"', time] = memberTexts(textAt(index), members);
    if (topics === undefined || time !== undefined || !data.startsWith('"')) return undefined;
    const values = sort.event.values(topicsIn(topics), data.slice(1, -1));
    return values && { event: sort.event, values, address: sort.address };
  };
}

/** The topics in a list that {@link logHeads} has sorted: all are 66 characters long. */
function topicsIn(list: string): readonly string[] {
  const topics: string[] = [];
  for (let at = 2; at < list.length; at += 69) topics.push(list.slice(at, at + 66));
  return topics;
}

/** A time is shown with what is decoded. */
const members = ["topics", "data", "blockTimestampMs"];
