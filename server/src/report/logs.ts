import type { AbiScope } from "../abi/abiScope.ts";
import type { DecodedArg, DecodedEvent } from "../abi/decodeLog.ts";
import { decodeLog } from "../abi/decodeLog.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { listed, plural, shortHex } from "../base/text.ts";
import type { Section, Shown } from "./report.ts";
import {
  abiShown,
  addressShown,
  badShown,
  bytesShown,
  hashShown,
  inlineText,
  oneLine,
  plainShown,
  quantityShown,
  weiShown,
} from "./shown.ts";
import type { Cells } from "./table.ts";
import { filled, maxRows, nothing, table } from "./table.ts";
import type { View, ViewContext } from "./view.ts";

/** A log, and what stands before it in its row: its place, the call that emitted it. */
export interface LogRow {
  readonly log: JsonValue;
  readonly place: readonly Shown[];
}

/** The result of `eth_getLogs`. */
export function logsView(logs: readonly JsonValue[], context: ViewContext): View {
  if (logs.length === 0) return { summary: "no logs", sections: [] };
  const rows = logs.map((log): LogRow => ({ log, place: [] }));
  return {
    summary: logsSummary(logs.length, eventCounts(logs, context.scope)),
    sections: logSections(rows, [], context, { mined: true }),
  };
}

function logsSummary(total: number, counts: readonly (readonly [string, number])[]): string {
  const [only] = counts;
  if (counts.length === 1 && only) {
    return only[0] === unknownEvent ? `${plural(total, "log")} of unknown events` : plural(total, `${only[0]} log`);
  }
  const kinds = counts.slice(0, 3).map(([name, count]) => `${count} ${name}`);
  const rest = counts.length > kinds.length ? [`${counts.length - kinds.length} other kinds`] : [];
  return `${plural(total, "log")}: ${listed([...kinds, ...rest])}`;
}

const unknownEvent = "unknown";

/** Names of the events with their number, the most frequent first. Logs of one topic 0 and topic count are of one kind. */
function eventCounts(logs: readonly JsonValue[], scope: AbiScope | undefined): readonly (readonly [string, number])[] {
  const kinds = new Map<string, { readonly name: string; count: number }>();
  for (const log of logs) {
    const topics = isObject(log) && isArray(log.topics) ? log.topics : [];
    const key = `${topics[0]} ${topics.length} ${isObject(log) && isNative(log.address)}`;
    const kind = kinds.get(key);
    if (kind) kind.count++;
    else kinds.set(key, { name: eventName(decodeLog(log, scope)), count: 1 });
  }
  const counts = new Map<string, number>();
  for (const { name, count } of kinds.values()) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function isNative(address: JsonValue | undefined): boolean {
  return typeof address === "string" && /^0xe{40}$/i.test(address);
}

function eventName(event: DecodedEvent | undefined): string {
  if (event === undefined) return unknownEvent;
  return event.native ? "native transfer" : oneLine(event.name, 60);
}

/** The rows of a table of logs that are shown, with what they were decoded to. */
interface DecodedRow extends LogRow {
  readonly event: DecodedEvent | undefined;
}

/**
 * A table of logs, and notes on those that do not quite fit their events.
 *
 * @param places - Names of the columns before the log, one for each of a row's `place`.
 * @param about - `mined` adds the columns that say where in the chain a log stands.
 */
export function logSections(
  rows: readonly LogRow[],
  places: readonly string[],
  { labels, scope }: ViewContext,
  about: { readonly mined: boolean },
  title?: string,
): readonly Section[] {
  if (rows.length === 0) return [];
  const decoded = rows.slice(0, maxRows).map((row): DecodedRow => ({ ...row, event: decodeLog(row.log, scope) }));
  const field = (name: string, show: (value: JsonValue) => Shown): Cells<DecodedRow>["of"] => {
    return ({ log }) => (isObject(log) && log[name] !== undefined && log[name] !== null ? show(log[name]) : nothing);
  };
  const mined: readonly Cells<DecodedRow>[] = [
    { name: "Block", align: "right", of: blockOf },
    { name: "Log", align: "right", of: field("logIndex", (value) => quantityShown(value, "index")) },
  ];
  const columns: readonly Cells<DecodedRow>[] = [
    ...places.map((name, i): Cells<DecodedRow> => ({ name, align: "right", of: ({ place }) => place[i] ?? nothing })),
    ...(about.mined ? mined : []),
    { name: "Event", of: eventShown },
    ...argumentColumns(decoded, (arg, event) => argShown(arg, event.native, labels)),
    {
      name: "Contract",
      of: (row) => (row.event?.native ? nothing : field("address", (value) => addressShown(value, labels))(row, 0)),
    },
    ...(about.mined ? [{ name: "Transaction", of: field("transactionHash", hashShown) }] : []),
  ];
  const section = table(decoded, filled(decoded, columns), title);
  return [{ ...section, total: rows.length }, ...notes(decoded)];
}

/** Pre-confirmed logs have no block yet, or one without a hash. */
function blockOf({ log }: DecodedRow): Shown {
  if (!isObject(log) || log.blockNumber === undefined) return nothing;
  return log.blockNumber === null ? { text: "pending" } : quantityShown(log.blockNumber, "block");
}

function eventShown({ log, event }: DecodedRow): Shown {
  if (!isObject(log)) return badShown(log, "not a log");
  const removed = log.removed === true ? " (removed)" : "";
  if (event === undefined) {
    const topic = isArray(log.topics) ? log.topics[0] : undefined;
    if (typeof topic !== "string") return { text: `anonymous${removed}` };
    return { text: `unknown ${shortHex(oneLine(topic, 66))}${removed}`, raw: oneLine(topic, 66) };
  }
  const also = [
    oneLine(event.signature),
    `from ${oneLine(event.source)}`,
    ...event.faults,
    ...event.others.map((other) => `or ${oneLine(other)}`),
  ];
  const bad = event.faults.length > 0 || removed !== "";
  return { text: `${eventName(event)}${removed}`, also, role: bad ? "bad" : "name" };
}

/** A column for each argument where all logs are of one kind, else one column for all of them. */
function argumentColumns(
  rows: readonly DecodedRow[],
  show: (arg: DecodedArg, event: DecodedEvent) => Shown,
): readonly Cells<DecodedRow>[] {
  const first = rows[0]?.event;
  const shape = (event: DecodedEvent | undefined): string =>
    JSON.stringify(event?.args.map(({ name, type }) => [name, type]));
  if (first && rows.every(({ event }) => event?.name === first.name && shape(event) === shape(first))) {
    return first.args.map(({ name, type }, i) => ({
      name: name === "" ? `argument ${i + 1}` : oneLine(name, 40),
      align: /^u?int\d+$/.test(type) ? "right" : "left",
      of: ({ event }) => (event?.args[i] ? show(event.args[i], event) : nothing),
    }));
  }
  return [{ name: "Arguments", of: (row) => ({ text: row.event ? argsText(row.event, show) : rawText(row.log) }) }];
}

function argsText(event: DecodedEvent, show: (arg: DecodedArg, event: DecodedEvent) => Shown): string {
  return event.args
    .map((arg) => `${arg.name === "" ? "" : `${oneLine(arg.name, 40)}: `}${inlineText(show(arg, event))}`)
    .join(", ");
}

/** What a log of an unknown event has: its further topics and its data. */
function rawText(log: JsonValue): string {
  if (!isObject(log)) return "";
  const topics = isArray(log.topics) ? log.topics.slice(1) : [];
  const parts = topics.map((topic, i) => `topic ${i + 1}: ${plainShown(topic).text}`);
  if (log.data !== undefined && log.data !== "0x") parts.push(`data: ${bytesShown(log.data).text}`);
  return oneLine(parts.join(", "));
}

function argShown(arg: DecodedArg, native: boolean, labels: ViewContext["labels"]): Shown {
  if (arg.hashed)
    return { text: `hash ${String(arg.value)}`, also: [`only the hash of the ${arg.type} is logged`], role: "hash" };
  if (native && arg.type === "uint256" && typeof arg.value === "string") return weiShown(BigInt(arg.value), arg.value);
  return abiShown(arg.value, arg.type, labels);
}

function notes(rows: readonly DecodedRow[]): readonly Section[] {
  const faults = new Map<string, number>();
  for (const { event } of rows)
    for (const fault of event?.faults ?? []) faults.set(fault, (faults.get(fault) ?? 0) + 1);
  const others = new Set(rows.flatMap(({ event }) => event?.others ?? []));
  return [
    ...[...faults].map(
      ([fault, count]): Section => ({
        kind: "note",
        text: `${plural(count, "log")} may be decoded wrongly: ${fault}.`,
      }),
    ),
    ...[...others].map(
      (other): Section => ({ kind: "note", text: `Some logs fit another declaration as well: ${oneLine(other)}.` }),
    ),
  ];
}
