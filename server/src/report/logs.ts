import type { DecodedEvent, LogKind, LogReader } from "../abi/decodeLog.ts";
import { decodeLog, isNativeTransfer, logReader } from "../abi/decodeLog.ts";
import type { AbiEvent } from "../abi/item.ts";
import { type LogGroups, logGroups } from "../abi/logGroups.ts";
import { quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, printJson } from "../base/json.ts";
import { itemTexts } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import { listed, oneLine, plural, shortHex } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { alternatives, guessOf } from "./call.ts";
import { argShown } from "./logArguments.ts";
import type { HeadlinePart, Section, Shown, TableSection } from "./report.ts";
import {
  addressShown,
  badShown,
  blockShown,
  blockTimeShown,
  bytesShown,
  hashShown,
  inlineText,
  placeOf,
  plainShown,
  quantityShown,
  saidText,
  searchLabels,
} from "./shown.ts";
import type { Cells, Indexed } from "./table.ts";
import { filled, maxRows, nothing, present, table } from "./table.ts";
import type { View, ViewContext } from "./view.ts";

/** A log, and what is before it in its row: its place, the call that emitted it. */
export interface LogRow {
  readonly log: JsonValue;
  readonly place: readonly Shown[];
}

/** The result of `eth_getLogs`. Of a log only its topic 0 is looked at before its row is shown. */
export function logsView(logs: readonly JsonValue[], context: ViewContext): View {
  if (logs.length === 0) return { summary: "no logs", sections: [] };
  const rows: Indexed<LogRow> = {
    length: logs.length,
    at: (index) => (index < logs.length ? { log: logs[index] ?? null, place: [] } : undefined),
  };
  const reader = logReader(context.scope);
  const kinds = kindsOf(logs, reader);
  const summary = logsSummary(logs.length, kinds);
  const range = blockRange(logs);
  return {
    summary,
    ...(range !== undefined && {
      headline: [{ text: kinds.size === 1 ? summary : plural(logs.length, "log") }, range],
    }),
    sections: tableOf({ rows, logs, kinds, reader, places: [], isMined: true }, context),
  };
}

/** The blocks of logs: nodes send them in the order of the chain. */
function blockRange(logs: readonly JsonValue[]): HeadlinePart | undefined {
  const [first, last] = [logs[0], logs.findLast((log) => isObject(log) && quantity(log.blockNumber) !== undefined)];
  const [from, to] = [first, last].map((log) => (isObject(log) ? quantity(log.blockNumber) : undefined));
  if (from === undefined || to === undefined) return undefined;
  const text = from === to ? `block ${grouped(from)}` : `blocks ${grouped(from)}–${grouped(to)}`;
  return { text, role: "quiet" };
}

function logsSummary(total: number, kinds: Kinds): string {
  const counts = eventCounts(kinds);
  const [only] = counts;
  if (counts.length === 1 && only) {
    return only[0] === unknownEvent ? `${plural(total, "log")} of unknown events` : plural(total, `${only[0]} log`);
  }
  const named = counts.slice(0, 3).map(([name, count]) => `${count} ${name}`);
  const rest = counts.length > named.length ? [plural(counts.length - named.length, "other kind")] : [];
  return `${plural(total, "log")}: ${listed([...named, ...rest])}`;
}

const unknownEvent = "unknown";
const nativeTransfer = "native transfer";

/** How many logs there are of each kind, and how many of those are transfers of the native currency. */
type Kinds = ReadonlyMap<LogKind | undefined, { readonly all: number; readonly native: number }>;

/** Looks at one log of each group: there may be a hundred thousand. */
function kindsOf(logs: Indexed<JsonValue>, reader: LogReader): Kinds {
  const kinds = new Map<LogKind | undefined, { all: number; native: number }>();
  const groups = groupsOf(logs, reader);
  const examples = groups?.examples ?? logs;
  for (let at = 0; at < examples.length; at++) {
    const log = examples.at(at) ?? null;
    const count = groups?.sizes[at] ?? 1;
    const kind = reader.kindOf(log);
    const counted = kinds.get(kind) ?? { all: 0, native: 0 };
    kinds.set(kind, counted);
    counted.all += count;
    if (isNativeTransfer(kind?.events[0]?.signature, log)) counted.native += count;
  }
  return kinds;
}

/** Groups of logs of the same kind and contract. */
function groupsOf(logs: Indexed<JsonValue>, reader: LogReader): LogGroups | undefined {
  return reader.readsData ? undefined : logGroups(logs);
}

/** Whether all logs have a member, and the same. */
function isSameInAll(logs: Indexed<JsonValue>, name: string): boolean {
  const textAt = itemTexts(logs);
  const valueAt = (index: number): unknown => {
    if (textAt) return memberTexts(textAt(index), [name])[0];
    const log = logs.at(index);
    return isObject(log) ? log[name] : undefined;
  };
  const first = valueAt(0);
  for (let index = 1; index < logs.length; index++) if (valueAt(index) !== first) return false;
  return first !== undefined;
}

/** Names of the events with their number, the most frequent first. */
function eventCounts(kinds: Kinds): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  const add = (name: string, count: number): void => {
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  for (const [kind, { all, native }] of kinds) {
    add(kind ? oneLine(kind.events[0]?.name ?? "", 60) : unknownEvent, all - native);
    add(nativeTransfer, native);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function eventName(event: DecodedEvent): string {
  return event.native ? nativeTransfer : oneLine(event.name, 60);
}

/** A row that is shown. Its log is decoded when the first of its cells needs that. */
interface DecodedRow extends LogRow {
  readonly event: DecodedEvent | undefined;
}

function decodedRow({ log, place }: LogRow, reader: LogReader): DecodedRow {
  let event: DecodedEvent | undefined;
  let isRead = false;
  return {
    log,
    place,
    get event() {
      if (!isRead) event = reader.read(log);
      isRead = true;
      return event;
    },
  };
}

/**
 * A table of logs, and notes on those that do not quite fit their events.
 *
 * @param places - Names of the columns before the log, one for each of a row's `place`.
 * @param isMined - Adds the columns for the position of a log in the chain. Other logs are beside something else, under a title.
 */
export function logSections(
  rows: readonly LogRow[],
  places: readonly string[],
  context: ViewContext,
  isMined = false,
): readonly Section[] {
  const reader = logReader(context.scope);
  if (rows.length === 0) return [];
  const logs = logsIn(rows);
  return tableOf({ rows, logs, kinds: kindsOf(logs, reader), reader, places, isMined }, context);
}

interface LogTable {
  readonly rows: Indexed<LogRow>;
  /** The logs of the rows, in the same order. */
  readonly logs: Indexed<JsonValue>;
  readonly kinds: Kinds;
  readonly reader: LogReader;
  readonly places: readonly string[];
  readonly isMined: boolean;
}

function tableOf(of: LogTable, context: ViewContext): readonly [TableSection, ...Section[]] {
  const { rows, kinds, reader, isMined } = of;
  const decoded: Indexed<DecodedRow> = {
    length: rows.length,
    at(index) {
      const row = rows.at(index);
      return row && decodedRow(row, reader);
    },
  };
  const columns = logColumns(of, context);
  const kindTable = (name: string): TableSection => {
    const part = rowsOfEvent(of, name);
    const logs = logsIn(part);
    const [section] = tableOf({ ...of, rows: part, logs, kinds: kindsOf(logs, reader) }, context);
    return section;
  };
  const counts = eventCounts(kinds);
  const more = {
    json: ({ log }: DecodedRow) => log,
    searched: logColumns(of, { ...context, labels: searchLabels(context.labels) }),
    mayContain: hexFilter(of.logs, context),
    kinds: counts.length > 1 ? counts.map(([name, count]) => ({ name, count, table: () => kindTable(name) })) : [],
  };
  return [table(decoded, filled(decoded, columns), isMined ? undefined : "Logs", more), ...notes(decoded)];
}

/**
 * An address or a hash that a person looks for is in the JSON of a log, where it is found sooner than in a decoded row. Names
 * and the strings of an event may contain one too, as text.
 */
function hexFilter(logs: Indexed<JsonValue>, { labels }: ViewContext) {
  return (filter: string): ((index: number) => boolean) | undefined => {
    const [, digits] = /^0x([0-9a-f]{16,})$/.exec(filter) ?? [];
    if (digits === undefined || [...labels.values()].some((name) => /0x/i.test(name))) return undefined;
    const textAt = itemTexts(logs) ?? ((index) => printJson(logs.at(index) ?? null));
    return (index) => {
      const wire = textAt(index).toLowerCase();
      return wire.includes(digits) || wire.includes("3078") || wire.includes("3058"); // "0x" as a string
    };
  };
}

function logColumns({ logs, kinds, places, isMined }: LogTable, context: ViewContext): readonly Cells<DecodedRow>[] {
  const field = (name: string, show: (value: JsonValue) => Shown): Cells<DecodedRow>["of"] => {
    return ({ log }) => (isObject(log) ? present(log[name], show) : nothing);
  };
  const mined: readonly Cells<DecodedRow>[] = [
    { name: "Block", align: "right", of: (row) => blockOf(row, context) },
    { name: "Log", align: "right", of: field("logIndex", (value) => quantityShown(value, "index")) },
  ];
  return [
    ...places.map((name, i): Cells<DecodedRow> => ({ name, align: "right", of: ({ place }) => place[i] ?? nothing })),
    ...(isMined ? mined : []),
    {
      name: "Event",
      of: eventShown,
      ...(kinds.size === 1 && !kinds.has(undefined) && { isShared: () => true }),
    },
    ...argumentColumns(kinds, (row, event, i) => argShown(row.log, event, i, context)),
    {
      name: "Contract",
      of: (row) =>
        row.event?.native ? nothing : field("address", (value) => addressShown(value, context.labels))(row, 0),
      isShared: () => isSameInAll(logGroups(logs)?.examples ?? logs, "address"),
    },
    ...(isMined
      ? [
          { name: "Time", of: timeOf },
          {
            name: "Transaction",
            of: field("transactionHash", hashShown),
            isShared: () => isSameInAll(logs, "transactionHash"),
          },
        ]
      : []),
  ];
}

function logsIn(rows: Indexed<LogRow>): Indexed<JsonValue> {
  return { length: rows.length, at: (index) => rows.at(index)?.log };
}

/** The rows of one event, by the name that {@link eventCounts} gives it. */
function rowsOfEvent({ rows, logs, reader }: LogTable, name: string): Indexed<LogRow> {
  const indices: number[] = [];
  const groups = groupsOf(logs, reader);
  const isWanted = (log: JsonValue = null): boolean => kindName(reader.kindOf(log), log) === name;
  const wanted = groups?.examples.map((log) => isWanted(log));
  for (let index = 0; index < rows.length; index++)
    if (wanted ? wanted[groups?.groupOf[index] ?? 0] : isWanted(logs.at(index))) indices.push(index);
  return {
    length: indices.length,
    at(index) {
      const row = indices[index];
      return row === undefined ? undefined : rows.at(row);
    },
  };
}

function kindName(kind: LogKind | undefined, log: JsonValue): string {
  const [event] = kind?.events ?? [];
  if (!event) return unknownEvent;
  return isNativeTransfer(event.signature, log) ? nativeTransfer : oneLine(event.name, 60);
}

/** Pre-confirmed logs may have no block yet. */
function blockOf({ log }: DecodedRow, context: ViewContext): Shown {
  if (!isObject(log) || log.blockNumber === undefined) return nothing;
  return log.blockNumber === null ? { text: "pending" } : blockShown(placeOf(log), context);
}

function timeOf({ log }: DecodedRow): Shown {
  return (isObject(log) ? blockTimeShown(log.blockTimestamp, log.blockTimestampMs) : undefined) ?? nothing;
}

function eventShown({ log, event }: DecodedRow): Shown {
  if (!isObject(log)) return badShown(log, "not a log");
  const removed = log.removed === true ? " (removed)" : "";
  const struck = log.removed === true ? ({ struck: true } as const) : {};
  if (event === undefined) {
    const topic = isArray(log.topics) ? log.topics[0] : undefined;
    if (typeof topic !== "string") return { text: `anonymous${removed}`, ...struck };
    return { text: `unknown ${shortHex(oneLine(topic, 66))}${removed}`, raw: oneLine(topic, 66), ...struck };
  }
  const also = [
    oneLine(event.signature),
    `from ${oneLine(event.source)}${event.guess ? ", guessed by topic 0" : ""}`,
    ...event.faults,
    ...(event.faults.length > 0 ? [rawText(log)].filter((text) => text !== "") : []),
    ...alternatives(event.others),
  ];
  const bad = event.faults.length > 0 || removed !== "";
  return { text: `${eventName(event)}${removed}`, also, ...guessOf(event), role: bad ? "bad" : "name", ...struck };
}

type ShowArgument = (row: DecodedRow, event: DecodedEvent, index: number) => Shown;

/** A column for each argument where all logs are of one kind, else one column for all of them. */
function argumentColumns(kinds: Kinds, show: ShowArgument): readonly Cells<DecodedRow>[] {
  const inputs = sharedInputs(kinds);
  if (inputs) {
    return inputs.map(({ name, type }, i) => ({
      name: name === "" ? `argument ${i + 1}` : oneLine(name, 40),
      align: /^u?int\d+$/.test(type.text) ? "right" : "left",
      of: (row) => (row.event ? argumentShown(row, row.event, i, name, show) : nothing),
    }));
  }
  return [
    { name: "Arguments", of: (row) => ({ text: row.event ? argsText(row, row.event, show) : rawText(row.log) }) },
  ];
}

/** An argument in a column of that name; with its own name where the log fits another declaration better. */
function argumentShown(row: DecodedRow, event: DecodedEvent, at: number, name: string, show: ShowArgument): Shown {
  const own = event.args[at]?.name;
  if (own === undefined) return nothing;
  const shown = show(row, event, at);
  return own === name ? shown : { ...shown, text: `${oneLine(own, 40)}: ${inlineText(shown)}` };
}

/** The arguments that all logs have, under the same names and with the same types; other readings name theirs in the row. */
function sharedInputs(kinds: Kinds): AbiEvent["inputs"] | undefined {
  const shape = ({ name, inputs }: AbiEvent): string =>
    JSON.stringify([name, ...inputs.map((input) => [input.name, input.type.text])]);
  const events = [...kinds.keys()].flatMap((kind) => kind?.events[0] ?? []);
  const [first] = events;
  if (kinds.has(undefined) || !first) return undefined;
  return new Set(events.map(shape)).size === 1 ? first.inputs : undefined;
}

function argsText(row: DecodedRow, event: DecodedEvent, show: ShowArgument): string {
  return event.args
    .map(({ name }, i) => `${name === "" ? "" : `${oneLine(name, 40)}: `}${inlineText(show(row, event, i))}`)
    .join(", ");
}

/** The further topics and the data of an unknown event. */
function rawText(log: JsonValue): string {
  if (!isObject(log)) return "";
  const topics = isArray(log.topics) ? log.topics.slice(1) : [];
  const parts = topics.map((topic, i) => `topic ${i + 1}: ${plainShown(topic).text}`);
  if (log.data !== undefined && log.data !== "0x") parts.push(`data: ${bytesShown(log.data).text}`);
  return oneLine(parts.join(", "));
}

/** A log on one line, with labels alone: `Transfer(alice, bob, 2.5 DUSD)`. */
export function logText(log: JsonValue, context: ViewContext): string {
  const event = decodeLog(log, context.scope);
  if (!event) return "unknown event";
  const args = event.args.map((_, at) => saidText(argShown(log, event, at, context)));
  return oneLine(`${eventName(event)}(${args.join(", ")})`, 300);
}

/** Faults of the rows that a table carries; later rows show their own. */
function notes(rows: Indexed<DecodedRow>): readonly Section[] {
  const faults = new Map<string, number>();
  const others = new Set<string>();
  const carried = Math.min(rows.length, maxRows);
  for (let index = 0; index < carried; index++) {
    const event = rows.at(index)?.event;
    for (const fault of event?.faults ?? []) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    for (const { declaration, source } of event?.others ?? []) others.add(`${declaration} from ${source}`);
  }
  const of = carried < rows.length ? ` of the first ${carried}` : "";
  return [
    ...[...faults].map(
      ([fault, count]): Section => ({
        kind: "note",
        text: `${plural(count, "log")}${of} may be decoded wrongly: ${fault}.`,
      }),
    ),
    ...[...others].map(
      (other): Section => ({ kind: "note", text: `Some logs fit another declaration as well: ${oneLine(other)}.` }),
    ),
  ];
}
