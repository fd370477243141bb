import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Explanation } from "../base/error.ts";
import type { Files } from "../base/ports.ts";
import { shift } from "../base/span.ts";
import { lineColumn, nearest, oneLine } from "../base/text.ts";
import { formatBytes } from "../base/units.ts";
import { homeFolder, isReservedOnWindows, notebookStem } from "../base/uri.ts";
import { shownName } from "../endpoints/site.ts";
import { replaceFile } from "../files/updateFile.ts";
import { explainWriteFault } from "../files/writeFaults.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { type FileText, headerToFile, readFile } from "../notebook/readFile.ts";
import type { Host } from "../workspace/host.ts";
import type { Terminal } from "./terminal.ts";

interface NamedFile {
  /** The name as typed, safe to show. */
  readonly name: string;
  readonly uri: string;
}

export interface NotebookFile extends NamedFile {
  readonly text: string;
  /** It is in memory only, so no place in it is told. */
  readonly inMemory?: true;
}

/**
 * Reads files, each once however often it is named, and reports each that cannot be read as text.
 *
 * @returns `undefined` if there is such a file.
 */
export async function openFiles(
  names: readonly string[],
  files: Files,
  terminal: Terminal,
): Promise<readonly NotebookFile[] | undefined> {
  const ids = await Promise.all(names.map(async (name) => (await fileId(name)) ?? resolve(name)));
  const once = names.filter((_, at) => ids.indexOf(ids[at] ?? "") === at);
  const opened = await Promise.all(once.map((name) => open(name, files, terminal)));
  const readable = opened.filter((file) => file !== undefined);
  return readable.length === once.length ? readable : undefined;
}

/** Reads files as {@link openFiles} does, and reports the first fault of each that is not a notebook. */
export async function openNotebooks(
  names: readonly string[],
  files: Files,
  terminal: Terminal,
): Promise<readonly NotebookFile[] | undefined> {
  const opened = await openFiles(names, files, terminal);
  const faulty = opened?.flatMap((file) => worstFault(readFile(file.text), file) ?? []) ?? [];
  for (const { what, todo } of faulty) terminal.complain(what, todo);
  return faulty.length > 0 ? undefined : opened;
}

/**
 * Writes a file, and reports why if that failed.
 *
 * @param before - The expected text; `undefined` for a new file.
 * @returns `changed` if the file has another text, or exists although it is new.
 */
export async function writeText(
  { uri, name }: NamedFile,
  before: string | undefined,
  text: string,
  { files, roots }: Host,
  terminal: Terminal,
): Promise<"written" | "changed" | "failed"> {
  const isNew = before === undefined;
  const within = homeFolder(uri, roots, files) ?? "";
  const written = await replaceFile(files, uri, { before, text, within, createsFolders: isNew });
  if (written.kind !== "failed") return written.kind;
  const { what, todo } = explainWriteFault(written, name, isNew);
  terminal.complain(what, todo);
  return "failed";
}

/** Whether a name has marks that stand for other names. */
export function isPattern(name: string): boolean {
  return /[*?[{]/.test(name);
}

/** Whether a name is that of an endpoint file, which people sometimes name in place of a notebook. */
export function isEndpointsFile(name: string): boolean {
  return /^rpc-endpoints(?:\.private)?\.json$/.test(basename(name));
}

/** Returns what identifies an existing file or folder, whatever its path. */
export async function fileId(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev} ${found.ino}`;
}

async function open(name: string, files: Files, terminal: Terminal): Promise<NotebookFile | undefined> {
  const wrong = reservedName(name);
  if (wrong) return void terminal.complain(wrong.what, wrong.todo);
  const { href: uri } = pathToFileURL(name);
  const bytes = await files.read(uri);
  if (!bytes) {
    const { what, todo } = await whyUnread(uri, name);
    return void terminal.complain(what, todo);
  }
  const decoded = decodeFile(bytes);
  if (bytes.length === 0 || ("text" in decoded && /^\ufeff?\s*$/.test(decoded.text)))
    return void terminal.complain(`${name} is empty.`, `A notebook is at least { "cells": [] }.`);
  if ("text" in decoded) return { name: oneLine(name), uri, text: decoded.text };
  const { line, column, what, hint } = decoded.fault;
  return void terminal.complain(`${name}:${line}:${column}: ${what}.`, hint);
}

/** Says that a file cannot have this name here. */
export function reservedName(name: string): Explanation | undefined {
  if (process.platform !== "win32" || !isReservedOnWindows(basename(resolve(name)))) return undefined;
  return { what: `${oneLine(name)}: Windows has another use for this name.`, todo: "Give the file another name." };
}

async function whyUnread(uri: string, name: string): Promise<Explanation> {
  const stats = await stat(fileURLToPath(uri)).catch(() => undefined);
  if (!stats && name === "-") return { what: "Cannot read a notebook from standard input.", todo: "Name a file." };
  if (!stats && name.includes("://"))
    return { what: `${shownName(name)} is an address, not a file.`, todo: "Give addresses with --endpoint." };
  if (!stats) return { what: `${name}: file not found.`, todo: await suggestion(name) };
  if (stats.isDirectory())
    return {
      what: `${name} is a folder.`,
      todo: `Name the notebooks in it: ${name.replace(/[\\/]+$/, "")}/*.rpc.json`,
    };
  if (!stats.isFile()) return { what: `${name} is not a regular file.`, todo: "Name a notebook." };
  return { what: `${name} (${formatBytes(stats.size)}) cannot be read.`, todo: "Check its permissions and its size." };
}

async function suggestion(name: string): Promise<string> {
  const folder = dirname(name);
  const files = await readdir(folder).catch(() => []);
  const stems = new Map(files.flatMap((file) => (file.endsWith(".json") ? [[notebookStem(file), file] as const] : [])));
  const found = stems.get(nearest(notebookStem(basename(name)), stems.keys(), 1)[0] ?? "");
  return found === undefined
    ? "Check its name, and the working folder."
    : `Did you mean ${folder === "." ? found : join(folder, found)}?`;
}

/** Returns the fault that explains the others: the first that is more than a syntax error, else the first. */
function worstFault({ text, header, cells, spans, faults }: FileText, { name }: NotebookFile): Explanation | undefined {
  const places = [
    ...faults.map(({ span, what, code }) => ({ span, what, code })),
    ...(header?.cell.faults.map(({ what, code, span }) => ({ span: headerToFile(header, span), what, code })) ?? []),
    ...cells.flatMap((cell, index) =>
      cell.faults.map(({ what, code, span }) => ({ span: shift(span, spans.at(index)?.start ?? 0), what, code })),
    ),
  ].sort((a, b) => a.span.start - b.span.start);
  const worst = places.find(({ code }) => code !== "json-syntax") ?? places[0];
  if (!worst) return undefined;
  if (isEndpointsFile(name))
    return {
      what: `${name} is an endpoint file, not a notebook.`,
      todo: `Name a notebook, or check the file: rpc-notebook check ${name}`,
    };
  const { line, column } = lineColumn(text, worst.span.start);
  const todo =
    worst.code === "conflict-marker"
      ? "Resolve the conflict, then run the command again."
      : `Fix ${basename(name)} there.`;
  return { what: `${name}:${line}:${column}: ${worst.what}.`, todo };
}
