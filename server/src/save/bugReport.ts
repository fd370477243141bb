import { type AbiItem, declaration } from "../abi/item.ts";
import type { ProjectAbis } from "../analysis/scope.ts";
import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { code, escaped } from "../base/markdown.ts";
import type { Mask } from "../base/mask.ts";
import type { Files } from "../base/ports.ts";
import { oneLine, plural, replaced } from "../base/text.ts";
import { fileName } from "../base/uri.ts";
import type { RowFile } from "../evaluate/rowFile.ts";
import { formatFile } from "../features/formatting.ts";
import { saveText } from "../files/updateFile.ts";
import { includedRecording } from "../notebook/header.ts";
import { dataKey, readFile } from "../notebook/readFile.ts";
import type { BugReportResult, SaveBugReportParams, SaveRecordingResult } from "../protocol/runs.ts";
import type { MaskedRecording } from "../recording/editRecording.ts";
import { readText } from "../recording/recordedText.ts";
import type { Recording } from "../recording/recording.ts";
import { packed } from "../recording/replays.ts";

export type BugReport = NonNullable<BugReportResult>;

/** What a notebook takes from its project. */
interface ReportSources {
  readonly abis: ProjectAbis;
  /** The files whose rows `each` takes, by their paths as written. */
  readonly rowFiles: ReadonlyMap<string, RowFile>;
}

/**
 * Packs a notebook with the recording of its last runs and the declarations that its results need, so that another person
 * can run it again without the project, the endpoints and a network.
 *
 * @param text - The notebook.
 * @returns `undefined` if the text is not a notebook.
 */
export function bugReport(
  text: string,
  { recording, masked }: MaskedRecording,
  { abis, rowFiles }: ReportSources,
  mask: Mask,
): BugReport | undefined {
  const value = parseJson(text);
  const notebook = value === undefined ? undefined : notebookOf(value);
  if (!notebook) return undefined;
  const used = usedItems(recording, abis);
  const written = isArray(notebook.abi) ? notebook.abi : notebook.abi === undefined ? [] : [notebook.abi];
  const declarations = [...written.filter((entry) => !namesFile(entry, abis)), ...used.map(declarationOf)];
  // members with paths of the project are left out
  const { cells, openrpc: _openrpc, abi: _abi, $schema: _schema, [dataKey]: _data, ...header } = notebook;
  const report: JsonObject = {
    ...header,
    ...(declarations.length > 0 && { abi: declarations }),
    recording: includedRecording,
    cells: [
      { markdown: introduction(recording) },
      ...(isArray(cells) ? cells.map((cell) => withRows(withoutFiles(cell, abis), rowFiles)) : []),
    ],
  };
  const json = `${printJson({ ...mask.value(report), [dataKey]: packed(recording) }, 2)}\n`; // masked already
  return {
    text: replaced(json, formatFile(readFile(json), { indent: "  " })),
    contents: contentsOf(recording, masked, used.length, rowFiles),
  };
}

/** A notebook may be a list of requests, or a single one. */
function notebookOf(value: JsonValue): JsonObject | undefined {
  if (isArray(value)) return { cells: value };
  if (!isObject(value)) return undefined;
  return isArray(value.cells) ? value : { cells: [value] };
}

/** Returns the declarations whose selectors and topics appear in the recording. */
function usedItems(recording: Recording, { files, contracts }: ProjectAbis): readonly AbiItem[] {
  const items = [...[...files.values()].flatMap((file) => file.items), ...contracts];
  if (items.length === 0) return [];
  const exchanges = recording.exchanges.map(({ params, reply }) => {
    const body = reply.kind === "fault" ? "" : readText(reply.body, maxSearchedBytes);
    return `${printJson(params ?? null)}${body}`.toLowerCase();
  });
  const texts = [...exchanges, ...recording.streams.flatMap(({ events }) => events.map(({ text }) => text))];
  const bySignature = new Map(items.map((item) => [`${item.kind} ${item.signature} ${item.address ?? ""}`, item]));
  return [...bySignature.values()].filter(({ kind, hash }) => {
    const digits = hash.slice(2, kind === "event" ? undefined : 10).toLowerCase();
    return texts.some((text) => text.includes(digits));
  });
}

/** Bytes of an answer that is searched for selectors and topics. */
const maxSearchedBytes = 10_000_000;

function declarationOf(item: AbiItem): JsonValue {
  const returns = item.outputs.map(({ type, name }) => [type.text, name].filter(Boolean).join(" ")).join(", ");
  const text = declaration(item) + (returns === "" ? "" : ` returns (${returns})`);
  return item.address === undefined ? text : { address: item.address, abi: [text] };
}

function namesFile(entry: JsonValue, abis: ProjectAbis): boolean {
  if (isObject(entry) && entry.abi !== undefined) return namesFile(entry.abi, abis);
  if (isArray(entry)) return entry.some((one) => namesFile(one, abis));
  return typeof entry === "string" && abis.files.has(entry);
}

function withoutFiles(cell: JsonValue, abis: ProjectAbis): JsonValue {
  if (!isObject(cell) || cell.abi === undefined || !namesFile(cell.abi, abis)) return cell;
  const { abi: _abi, ...rest } = cell;
  return rest;
}

/** Puts the rows of files into `each`. */
function withRows(cell: JsonValue, rowFiles: ReadonlyMap<string, RowFile>): JsonValue {
  if (!isObject(cell) || !isObject(cell.each)) return cell;
  const sources = Object.entries(cell.each).map(([name, value]): [string, JsonValue] => {
    const file = typeof value === "string" ? rowFiles.get(value) : undefined;
    return [name, file && "rows" in file ? file.rows : value];
  });
  return { ...cell, each: Object.fromEntries(sources) };
}

function introduction({ startedAt, tool, endpoints, exchanges }: Recording): string {
  const asked = Object.entries(endpoints).map(([name, { site, chainId, head, client }]) => {
    const [chain, block] = [quantity(chainId), quantity(head)];
    const facts = [
      `chain ${chain ?? "unknown"}`,
      ...(block === undefined ? [] : [`block ${block}`]),
      ...(client === undefined ? [] : [escaped(client)]),
    ];
    return `- ${code(name)} (${escaped(site)}): ${facts.join(", ")}`;
  });
  return [
    "# Bug report",
    "",
    `Recorded by ${tool} at ${new Date(startedAt).toISOString()}. This file contains the ${plural(exchanges.length, "answer")}: running it sends nothing.`,
    "To ask a node instead, choose an endpoint, or remove `recording` from the header.",
    "",
    ...asked,
  ].join("\n");
}

function contentsOf(
  { exchanges, streams, endpoints }: Recording,
  masked: number,
  declarations: number,
  rowFiles: ReadonlyMap<string, RowFile>,
): readonly string[] {
  const sites = Object.entries(endpoints).map(([name, { site }]) => `${oneLine(name, 60)} (${oneLine(site, 100)})`);
  return [
    "the notebook, with the values of its variables and labels",
    `${plural(exchanges.length, "request")} with answers from ${sites.join(", ")}`,
    ...(streams.length > 0 ? [plural(streams.length, "subscription")] : []),
    ...(declarations > 0 ? [`${plural(declarations, "declaration")} from the ABIs of the project`] : []),
    ...[...rowFiles].flatMap(([path, file]) =>
      "rows" in file ? `${plural(file.rows.length, "row")} of ${oneLine(path, 100)}` : [],
    ),
    masked > 0 ? `secrets were masked in ${plural(masked, "exchange")}` : "no secret was found in the answers",
  ];
}

/** Writes a bug report to the file that a person chose; an old file is replaced. */
export async function saveBugReport(
  { uri, text }: SaveBugReportParams,
  { files }: { readonly files: Files },
): Promise<SaveRecordingResult> {
  const fault = await saveText(files, uri, text);
  return fault === undefined ? { note: `Saved ${fileName(uri)}.` } : { fault };
}
