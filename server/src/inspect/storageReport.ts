import { isUnread } from "../abi/storageRows.ts";
import { toWord } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { brief, oneLine, plural } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import { failedReport } from "../report/failure.ts";
import type { Report, Section, Shown } from "../report/report.ts";
import { addressShown, inlineText, type Labels } from "../report/shown.ts";
import { storedShown } from "../report/storage.ts";
import { type Cells, table } from "../report/table.ts";
import { explain } from "../rpc/explain.ts";
import type { LoggedWords } from "./loggedWords.ts";
import type { ComparedRow, StorageReading } from "./readStorage.ts";

/** Returns the report of what a contract stores. Where two blocks were read, what differs comes first. */
export function storageReport(reading: StorageReading, durationMs: number, labels: Labels): Report {
  const { layout, address, endpoint, host, blocks, rows, failure, requests, strange, unread } = reading;
  const title = `storage of ${oneLine(layout.contract, 80)}`;
  const facts = [
    { name: "contract", value: inlineText(addressShown(address, labels)) },
    { name: "layout", value: oneLine(layout.source, 200) },
    { name: "endpoint", value: brief(endpoint === host ? host : `${endpoint} (${host})`, 200) },
    ...blocks.map(({ asked, number }) => ({ name: "block", value: blockText(asked, number) })),
    { name: "time", value: formatDuration(durationMs) },
    { name: "requests", value: String(requests) },
  ];
  if (failure) {
    return failedReport(title, explain(failure, "eth_getStorageAt"), facts);
  }
  const missing = blocks.flatMap((block) => missingIn(block, address) ?? []);
  if (missing.length === blocks.length) {
    const todo = "Check the address, the block and the endpoint.";
    return failedReport(title, { what: missing.join("; "), todo }, facts);
  }
  const misfit = misfitNote(strange);
  const notes = [...missing.map((what) => `${what}.`), ...(misfit === undefined ? [] : [misfit])].map(
    (text): Section => ({ kind: "note", text }),
  );
  const summary = summaryOf(rows, blocks.length > 1);
  const listed = sectionsOf(reading, labels);
  if (unread === 0) return { title, summary, status: "ok", sections: [...notes, ...listed], facts };
  const what = `${plural(unread, "word")} of storage ${unread === 1 ? "was" : "were"} not read.`;
  const todo = "Try another endpoint, or ask for one value by its path.";
  const failed: Section = { kind: "failure", what, todo, fields: [] };
  return { title, summary: what, status: "failed", sections: [failed, ...notes, ...listed], facts };
}

function missingIn({ asked, number, hasCode }: StorageReading["blocks"][number], address: string): string | undefined {
  if (number === undefined) return `The endpoint has no block ${brief(asked, 30)}`;
  return hasCode ? undefined : `There is no contract at ${address} in block ${blockText(asked, number)}`;
}

/** Says that a layout seems to be that of another contract: nothing else tells, since the code does not name it. */
function misfitNote(strange: readonly bigint[]): string | undefined {
  const [first] = strange;
  if (first === undefined) return undefined;
  const where = strange.length === 1 ? "" : ` and ${plural(strange.length - 1, "other slot")}`;
  return `The layout seems to be that of another contract or version: slot ${placeShown(first, 0).text}${where} has a value that this layout leaves no room for.`;
}

function blockText(asked: string, number: string | undefined): string {
  const known = number ?? asked;
  const decimal = /^0x[0-9a-f]{1,16}$/i.test(known) ? BigInt(known).toString() : undefined;
  return decimal === undefined || asked === known ? brief(decimal ?? asked, 30) : `${brief(asked, 30)} (${decimal})`;
}

function summaryOf(rows: readonly ComparedRow[], isCompared: boolean): string {
  const values = plural(rows.length, "value");
  if (!isCompared) return values;
  const different = rows.filter(({ differs }) => differs).length;
  return different === 0 ? `all ${values} are the same` : `${different} of ${values} differ`;
}

/** Says where keys of mappings are from, if not all are from names of the notebook. */
function logsNote({ words, blocks, failure }: LoggedWords): string | undefined {
  if (failure !== undefined) return `Logs were not searched for keys of mappings: ${oneLine(failure, 200)}`;
  return words.length === 0 ? undefined : `Keys of mappings are also from the logs of the last ${blocks} blocks.`;
}

function sectionsOf({ layout, rows, blocks, hasMore, logs }: StorageReading, labels: Labels): readonly Section[] {
  const columns: readonly Cells<ComparedRow>[] = [
    { name: "variable", of: ({ path }) => ({ text: oneLine(path, 120) }) },
    ...blocks.map(
      ({ asked, number }, at): Cells<ComparedRow> => ({
        name: blocks.length > 1 ? blockText(asked, number) : "value",
        of: (row) => valueShown(row, at, labels),
      }),
    ),
    { name: "type", of: ({ type }) => ({ text: oneLine(type.label, 60) }) },
    { name: "slot", of: ({ slot, offset }) => placeShown(slot, offset) },
  ];
  const different = rows.filter(({ differs }) => differs);
  const note = "Not everything is listed: ask for one value by its path.";
  const aboutLogs = logs && logsNote(logs);
  const transient = layout.transient.map((name) => oneLine(name, 60)).join(", ");
  return [
    ...(different.length > 0 ? [table(different, columns, "Differences")] : []),
    ...(rows.length > different.length ? [table(rows, columns, different.length > 0 ? "All values" : undefined)] : []),
    ...(hasMore ? [{ kind: "note" as const, text: note }] : []),
    ...(aboutLogs === undefined ? [] : [{ kind: "note" as const, text: aboutLogs }]),
    ...(transient === "" ? [] : [{ kind: "note" as const, text: `In transient storage, so not read: ${transient}.` }]),
  ];
}

function valueShown({ type, path, values }: ComparedRow, at: number, labels: Labels): Shown {
  const one = values[at];
  if (!one) return { text: "–" };
  const { value, note } = one;
  if (isUnread(type, value)) return { text: "not read" };
  if (value === undefined) return { text: note ?? "–" };
  const shown =
    path.endsWith(".length") && type.kind === "array" ? { text: String(value) } : storedShown(type, value, labels);
  return note === undefined ? shown : { ...shown, text: `${shown.text} (${note})` };
}

function placeShown(slot: bigint, offset: number): Shown {
  const hex = toWord(slot);
  const text = slot < 1n << 64n ? String(slot) : `${hex.slice(0, 10)}…`;
  return { text: offset === 0 ? text : `${text}, byte ${offset}`, raw: hex };
}

/** Returns what a contract stores as JSON. */
export function storageJson(reading: StorageReading, durationMs: number): JsonValue {
  const { layout, address, endpoint, host, blocks, rows, hasMore, strange, unread, failure } = reading;
  const isRead = blocks.some(({ number, hasCode }) => number !== undefined && hasCode);
  return {
    ok: failure === undefined && isRead && unread === 0,
    contract: layout.contract,
    layout: layout.source,
    address,
    endpoint,
    host,
    durationMs: Math.round(durationMs),
    ...(failure && { failure: { reason: failure.reason, message: failure.message } }),
    blocks: blocks.map(({ asked, number, hasCode }) => ({ asked, number: number ?? null, hasCode })),
    hasMore,
    ...(strange.length > 0 && { strangeSlots: strange.map(toWord) }),
    variables: rows.map(({ path, type, slot, offset, values, differs }) => ({
      path,
      type: type.label,
      slot: toWord(slot),
      offset,
      values: values.map((one) => one?.value ?? null),
      ...(values.some((one) => one?.note !== undefined) && { notes: values.map((one) => one?.note ?? null) }),
      ...(blocks.length > 1 && { differs }),
    })),
  };
}
