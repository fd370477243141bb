import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { printJson } from "../base/json.ts";
import type { ExplainResult } from "../protocol/conversion.ts";
import type { Host } from "../workspace/host.ts";
import { chooseEndpoint } from "./choose.ts";
import type { ExplainOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { printLargeJson } from "./largeJson.ts";
import {
  abiEntries,
  isAbiPath,
  noteEndpointProblems,
  type OpenCommand,
  openInMemory,
  openService,
} from "./openService.ts";
import { inOrder, type Screen } from "./orderedScreens.ts";
import { canWrite, reportOutput } from "./outputFile.ts";
import { type FileResult, fileJson, isFine, summary } from "./results.ts";
import { runFile } from "./runFile.ts";
import { exitCodes, type Terminal, UsageError } from "./terminal.ts";

/** The name of a notebook in the working folder that exists only in memory. */
const notebook = "explain.rpc.json";

/** The files that the command reads. Projects are searched for upwards from their folders. */
export function filesOf({ abis }: ExplainOptions): readonly string[] {
  return [notebook, ...abis.filter(isAbiPath)];
}

type Reading = ExplainResult["readings"][number];

/**
 * `rpc-notebook explain`: says what any text is, and runs the requests about it. Recognizing it sends nothing.
 *
 * @returns The exit code.
 */
export async function explain(options: ExplainOptions, host: Host, context: CommandLineHost): Promise<number> {
  const text = options.text ?? (await context.input());
  if (text === undefined)
    throw new UsageError("Nothing to explain.", {
      hint: "Write it after `explain`, or pipe it in: rpc-notebook explain - < error.txt",
    });
  const uri = pathToFileURL(resolve(notebook)).href;
  const { service, terminal } = openService(host, context.terminal);
  const wrong = [
    ...(await openInMemory(uri, notebookText(options, []), service)),
    ...(await chooseEndpoint(options.endpoint, [{ uri }], service)),
  ];
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (wrong.length > 0) return exitCodes.usage;
  if (options.endpoint !== undefined) service.pickEndpoint(uri, options.endpoint);
  const { readings, note, best = 0 } = await service.explained(uri, text);
  if (readings.length === 0) {
    const found = await stat(text.trim()).catch(() => undefined); // most texts are not paths
    const todo = found?.isDirectory()
      ? `${text} is a folder. Pipe in one of its files: rpc-notebook explain - < FILE`
      : `${text} is a file. Pipe it in: rpc-notebook explain - < ${text}`;
    terminal.complain(note ?? "Nothing was recognized.", found && todo);
    return exitCodes.failed;
  }
  if (note !== undefined) terminal.note(note);
  if (options.list) return list(readings, options, terminal);
  const chosen = chosenReading(readings, options.reading ?? best + 1);
  if (options.dryRun) return printCells(chosen, options, terminal);
  if (!(await canWrite([reportOutput(options)], [uri], { service, host, terminal }))) return exitCodes.usage;
  return run(chosen, readings, { options, service, host, terminal, signal: context.signal, uri });
}

function list(readings: readonly Reading[], { json }: ExplainOptions, terminal: Terminal): number {
  if (json) terminal.print(printJson(readings.map(readingJson), 2));
  else terminal.print(readings.map((one, at) => readingText(one, at, terminal)).join("\n"));
  return exitCodes.ok;
}

function readingJson({ name, what, cells }: Reading) {
  return { name, what, cells: cells.map(({ text }) => text) };
}

function readingText({ name, what }: Reading, at: number, { paint }: Terminal): string {
  return `${String(at + 1).padStart(2)}  ${paint("bold", name)}\n    ${what}`;
}

function chosenReading(readings: readonly Reading[], at: number): Reading {
  const found = readings[at - 1];
  if (found) return found;
  throw new UsageError(`Unknown reading ${at}.`, {
    hint: `Write a number from 1 to ${readings.length}; --list shows them.`,
  });
}

function printCells({ cells, ...reading }: Reading, { json }: ExplainOptions, terminal: Terminal): number {
  if (json) terminal.print(printJson(readingJson({ cells, ...reading }), 2));
  else terminal.print(cells.map(({ text }) => text).join("\n\n"));
  return exitCodes.ok;
}

interface Explained extends OpenCommand {
  readonly options: ExplainOptions;
  readonly signal: AbortSignal;
  readonly uri: string;
}

/**
 * Runs a reading, and the next one if the hash is of no transaction: it may be of a block.
 *
 * @returns The exit code: a failure if the endpoint knows neither.
 */
async function run(chosen: Reading, readings: readonly Reading[], context: Explained): Promise<number> {
  const { options, terminal, signal } = context;
  const others = readings.length - 1;
  if (others > 0 && options.reading === undefined)
    terminal.note(
      `It may mean ${others === 1 ? "something else" : `${others} other things`}: --list shows them, --reading N chooses one.`,
    );
  if (chosen.unsent !== undefined) {
    terminal.complain(chosen.unsent, "Print it with --dry-run, and run it in a notebook.");
    return exitCodes.failed;
  }
  const ran: { readonly reading: Reading; readonly result: FileResult | undefined }[] = [];
  for (let reading: Reading | undefined = chosen; reading; ) {
    const result: FileResult | undefined = await send(reading, context);
    ran.push({ reading, result });
    reading = options.reading === undefined && isUnknown(result) ? readings[reading.otherwise ?? -1] : undefined;
  }
  if (options.json)
    await printLargeJson(
      ran.map(({ reading, result }) => ({ reading: readingJson(reading), ...(result && { run: fileJson(result) }) })),
      terminal,
    );
  const last = ran.at(-1);
  const isFound = !last?.result || (isFine(last.result) && !(last.reading.isLookup && isUnknown(last.result)));
  for (const why of last?.result?.untraced.values() ?? []) terminal.complain(why);
  return !signal.aborted && isFound ? exitCodes.ok : exitCodes.failed;
}

function isUnknown(result: FileResult | undefined): boolean {
  return result?.cells[0]?.isUnknown === true;
}

async function send(chosen: Reading, context: Explained): Promise<FileResult | undefined> {
  const { options, service, terminal, signal, uri } = context;
  if (!options.json) terminal.print(`${terminal.paint("bold", chosen.name)}\n${chosen.what}\n`);
  if (chosen.cells.length === 0) return undefined;
  const text = notebookText(options, chosen.cells);
  service.openText(uri, text);
  const task = { file: { name: notebook, uri, text, inMemory: true as const }, indices: undefined, unknown: [] };
  const { endpoint, follow, stream, trace, needsCalls } = options;
  const runOptions = {
    endpoint,
    variables: [],
    snapshot: undefined,
    stream,
    follow,
    trace,
    needsCalls,
    hasJson: true,
    isLookup: chosen.isLookup,
  };
  const [result] = await inOrder(
    [(screen: Screen) => runFile(task, { ...context, options: runOptions }, screen)],
    [notebook],
    1,
    terminal,
    !options.json,
  );
  noteEndpointProblems(service, terminal, new Set(result?.cells.flatMap(({ endpoints }) => endpoints)));
  if (result && result.cells.length > 1 && !options.json)
    terminal.print(summary([result], signal.aborted, terminal.paint));
  return result;
}

function notebookText({ abis }: ExplainOptions, cells: Reading["cells"]): string {
  const texts = cells.filter(({ kind }) => kind === "request").map(({ text }) => text);
  return `{\n"abi": ${JSON.stringify(abiEntries(abis))},\n"cells": [\n${texts.join(",\n")}\n]\n}\n`;
}
