import type { JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";
import { hasMember, itemTexts } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import type { CompiledEvent } from "./compiledEvent.ts";
import type { Decoded } from "./decode.ts";
import type { LogReader } from "./decodeLog.ts";
import { logGroups } from "./logGroups.ts";

/** A log that is exactly as an encoder writes it. */
export interface EncodedLog {
  readonly event: CompiledEvent;
  /** The values of the event's arguments, in order. */
  readonly values: readonly Decoded[];
  /** The contract, as the endpoint wrote it. */
  readonly address: JsonValue | undefined;
}

/**
 * Returns how to read the values of a log of a long list from its text, without the rest of it.
 *
 * @returns `undefined` if each log has to be read as a whole. The function does so too, for such a log.
 */
export function encodedLogs(list: object, reader: LogReader): ((index: number) => EncodedLog | undefined) | undefined {
  const [textAt, groups] = [itemTexts(list), reader.readsData ? undefined : logGroups(list)];
  if (!textAt || !groups) return undefined;
  const kinds = groups.examples.map((log) => ({
    event: reader.onlyEvent(log),
    address: isObject(log) ? log.address : undefined,
    isInOrder: !hasMember(list, time), // until it turns out that data do not follow topics
  }));
  return (index) => {
    const kind = kinds[groups.groupOf[index] ?? 0];
    if (!kind?.event) return undefined;
    const text = textAt(index);
    const atOnce = kind.isInOrder ? kind.event.valuesIn(text) : undefined;
    if (!atOnce) kind.isInOrder = false;
    const values = atOnce ?? valuesIn(text, kind.event);
    return values && { event: kind.event, values, address: kind.address };
  };
}

function valuesIn(log: string, event: CompiledEvent): readonly Decoded[] | undefined {
  const [topics, data = '"0x"', ms] = memberTexts(log, ["topics", "data", time]);
  if (topics === undefined || ms !== undefined || !data.startsWith('"')) return undefined;
  return event.values(topicsIn(topics), data.slice(1, -1));
}

/** The topics in a list that {@link logGroups} has grouped: all are 66 characters long. */
function topicsIn(list: string): readonly string[] {
  const topics: string[] = [];
  for (let at = 2; at < list.length; at += 69) topics.push(list.slice(at, at + 66));
  return topics;
}

/** A time is shown with what is decoded. */
const time = "blockTimestampMs";
