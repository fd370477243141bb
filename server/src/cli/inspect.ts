import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { plural } from "../base/text.ts";
import type { CellOutput } from "../report/report.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { chooseCells, chooseEndpoint } from "./choose.ts";
import type { AuditOptions, FindWhenOptions, ProbeOptions, StorageOptions } from "./command.ts";
import { openNotebooks } from "./files.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import type { ReportOptions } from "./optionValues.ts";
import { canWrite, reportOutput } from "./outputFile.ts";
import { printReports } from "./results.ts";
import { exitCodes, type Terminal, UsageError } from "./terminal.ts";

/** The notebook of `storage` if no file is named: it is in the working folder, and only in memory. */
const storageNotebook = "storage.rpc.json";

/** The file of `probe` and `audit`: that of a notebook, or one in the working folder that exists only in memory. */
export function probedFile({ target }: ProbeOptions): string {
  return isFile(target) ? target : "probe.rpc.json";
}

/** The file of `storage`. The project is searched for upwards from its folder. */
export function storageFile({ notebook = storageNotebook }: StorageOptions): string {
  return notebook;
}

function isFile(target: string): boolean {
  return target.endsWith(".json") || existsSync(target);
}

/**
 * `rpc-notebook probe`: reports what an endpoint supports.
 *
 * @returns The exit code.
 */
export async function probe(options: ProbeOptions, host: Host, screen: Terminal, signal: AbortSignal): Promise<number> {
  const opened = await openTarget(options, host, screen);
  if (!opened) return exitCodes.usage;
  const { service, terminal, uri, endpoint } = opened;
  terminal.progress("… probing");
  const output = await service.probe(uri, endpoint, signal);
  return print(output, options.json, terminal, signal.aborted);
}

/**
 * `rpc-notebook audit`: compares what an endpoint shows as pre-confirmed with its sealed blocks, until the time is over or
 * Ctrl-C.
 *
 * @returns The exit code, 1 if there is a divergence.
 */
export async function audit(options: AuditOptions, host: Host, screen: Terminal, signal: AbortSignal): Promise<number> {
  const opened = await openTarget(options, host, screen);
  if (!opened) return exitCodes.usage;
  const { service, terminal, uri, endpoint } = opened;
  terminal.progress("… waiting for a block");
  const output = await service.audit(
    uri,
    { endpoint, forMs: options.forMs },
    signal,
    ({ blocks, transactions, divergences }) => {
      const compared = `${plural(blocks, "block")}, ${plural(transactions, "transaction")}`;
      terminal.progress(`… ${compared}, ${plural(divergences.length, "divergence")}`);
    },
  );
  return print(output, options.json, terminal);
}

/**
 * `rpc-notebook storage`: lists what a contract stores.
 *
 * @returns The exit code.
 */
export async function storage(
  { notebook, contract, address, blocks, endpoint, json, ...report }: StorageOptions,
  host: Host,
  screen: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const target = { file: notebook, inMemory: storageNotebook, endpoint, source: undefined };
  const opened = await open(target, report, host, screen);
  if (!opened) return exitCodes.usage;
  const { service, terminal, uri } = opened;
  terminal.progress("… reading storage");
  const params = { uri, contract, address, blocks, ...(endpoint !== undefined && { endpoint }) };
  return print(await service.contractStorage(params, signal), json, terminal, signal.aborted);
}

/**
 * `rpc-notebook find-when`: finds the first block at which what a cell expects holds.
 *
 * @returns The exit code.
 */
export async function findWhen(
  { notebook, cell, range, endpoint, json, ...report }: FindWhenOptions,
  host: Host,
  screen: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const target = { file: notebook, inMemory: notebook, endpoint, source: undefined };
  const opened = await open(target, report, host, screen);
  if (!opened) return exitCodes.usage;
  const { service, terminal, uri } = opened;
  const file = { uri, name: notebook, text: "" };
  const { indices = [], unknown } = chooseCells(service, file, [cell]);
  for (const { what, todo } of unknown) terminal.complain(what, todo);
  const [index] = indices;
  if (index === undefined) return exitCodes.usage;
  const params = { uri, index, range, ...(endpoint !== undefined && { endpoint }) };
  const output = await service.findWhen(params, signal, (text) => terminal.progress(`… ${text}`));
  return print(output, json, terminal, signal.aborted);
}

interface Opened {
  readonly service: Service;
  /** Hides secrets and environment values. */
  readonly terminal: Terminal;
  readonly uri: string;
  readonly endpoint: string | undefined;
}

/** @returns `undefined` if the target or its endpoint cannot be used, which has been reported. */
async function openTarget(options: ProbeOptions, host: Host, screen: Terminal): Promise<Opened | undefined> {
  const { target, endpoint } = options;
  const inMemory = probedFile(options);
  if (isFile(target)) return open({ file: target, inMemory, endpoint, source: undefined }, options, host, screen);
  if (endpoint !== undefined)
    throw new UsageError("--endpoint needs a notebook.", { hint: `\`${target}\` is an endpoint itself.` });
  return open({ file: undefined, inMemory, endpoint: target, source: "the command line" }, options, host, screen);
}

interface Target {
  readonly file: string | undefined;
  /** The name of the notebook that takes its place. */
  readonly inMemory: string;
  readonly endpoint: string | undefined;
  /** The origin of the endpoint, if that is not an option. */
  readonly source: string | undefined;
}

async function open(
  { file: name, inMemory, endpoint, source }: Target,
  report: ReportOptions,
  host: Host,
  screen: Terminal,
): Promise<Opened | undefined> {
  const opened = name === undefined ? [] : await openNotebooks([name], host.files, screen);
  if (!opened) return undefined;
  const { service, terminal } = openService(host, screen);
  const [file] = opened;
  const uri = file?.uri ?? pathToFileURL(resolve(inMemory)).href;
  service.openText(uri, file?.text ?? "[]");
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service, source);
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  noteEndpointProblems(service, terminal);
  if (wrong.length > 0) return undefined;
  if (!(await canWrite([reportOutput(report)], [uri], { service, host, terminal }))) return undefined;
  return { service, terminal, uri, endpoint };
}

/** @returns The exit code. */
function print(output: CellOutput | undefined, json: boolean, terminal: Terminal, isCancelled = false): number {
  if (!output) return exitCodes.usage;
  if (json) terminal.print(output.json);
  else printReports(output.reports, terminal);
  return output.ok && !isCancelled ? exitCodes.ok : exitCodes.failed;
}
