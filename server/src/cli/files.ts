import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Files } from "../base/ports.ts";
import { shift } from "../base/span.ts";
import { lineColumn, nearest, oneLine } from "../base/text.ts";
import { formatBytes } from "../base/units.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { type FileText, headerToFile, readFile } from "../notebook/readFile.ts";
import type { Terminal } from "./terminal.ts";

/** A notebook named on the command line. */
export interface NotebookFile {
  /** As it was typed, safe to show. */
  readonly name: string;
  readonly uri: string;
  readonly text: string;
}

/**
 * Reads files. What cannot be read as text is complained of, for every file.
 *
 * @returns `undefined` where one of them cannot.
 */
export async function openFiles(
  names: readonly string[],
  files: Files,
  terminal: Terminal,
): Promise<readonly NotebookFile[] | undefined> {
  const opened = await Promise.all(names.map((name) => open(name, files, terminal)));
  const found = opened.filter((file) => file !== undefined);
  return found.length === names.length ? found : undefined;
}

/** As {@link openFiles}; files that are no notebooks, or no JSON, are complained of with the place of the first fault. */
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

/** `rpc-endpoints.json` or its private twin: no notebook, but named where one is asked for. */
export function isEndpointsFile(name: string): boolean {
  return /^rpc-endpoints(?:\.private)?\.json$/.test(basename(name));
}

interface Complaint {
  readonly what: string;
  readonly todo: string;
}

async function open(name: string, files: Files, terminal: Terminal): Promise<NotebookFile | undefined> {
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

async function whyUnread(uri: string, name: string): Promise<Complaint> {
  const found = await stat(fileURLToPath(uri)).catch(() => undefined);
  if (!found) return { what: `${name}: there is no such file.`, todo: await nearFiles(name) };
  if (found.isDirectory())
    return { what: `${name} is a folder.`, todo: `Name the notebooks in it: ${name.replace(/\/+$/, "")}/*.rpc.json` };
  if (!found.isFile()) return { what: `${name} is no regular file.`, todo: "Name a notebook." };
  return { what: `${name} (${formatBytes(found.size)}) cannot be read.`, todo: "Check its permissions and its size." };
}

/** What a file was probably meant to be that is not there. */
async function nearFiles(name: string): Promise<string> {
  const folder = dirname(name);
  const beside = await readdir(folder).catch(() => []);
  const stems = new Map(beside.flatMap((file) => (file.endsWith(".json") ? [[stemOf(file), file] as const] : [])));
  const found = stems.get(nearest(stemOf(basename(name)), stems.keys(), 1)[0] ?? "");
  return found === undefined
    ? "Check its name, and the folder you are in."
    : `Did you mean ${folder === "." ? found : join(folder, found)}?`;
}

function stemOf(file: string): string {
  return file.replace(/(?:\.rpc)?\.json$/, "");
}

/** The first fault; of those that are known, the one that explains the others. */
function worstFault({ text, header, cells, spans, faults }: FileText, { name }: NotebookFile): Complaint | undefined {
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
      what: `${name} is a file of endpoints, not a notebook.`,
      todo: `Name a notebook, or check it: rpc-notebook check ${name}`,
    };
  const { line, column } = lineColumn(text, worst.span.start);
  const todo =
    worst.code === "conflict-marker" ? "Resolve the conflict, then run again." : `Fix ${basename(name)} there.`;
  return { what: `${name}:${line}:${column}: ${worst.what}.`, todo };
}
