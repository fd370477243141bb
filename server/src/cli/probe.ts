import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { plural } from "../base/text.ts";
import type { CellOutput } from "../report/report.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { chooseEndpoint } from "./choose.ts";
import type { AuditOptions, ProbeOptions } from "./command.ts";
import { noteEndpointProblems } from "./endpointFiles.ts";
import { openNotebooks } from "./files.ts";
import { openService } from "./openService.ts";
import { canWrite, reportOutput } from "./outputFile.ts";
import { printReports } from "./printReports.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { UsageError } from "./usageError.ts";

/** The name of a notebook in the working folder that exists only in memory. */
const notebook = "probe.rpc.json";

/** The file of the command. The project is searched for upwards from its folder. */
export function filesOf({ target }: ProbeOptions): readonly string[] {
  return [isFile(target) ? target : notebook];
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
  const { terminal } = opened;
  terminal.progress("… probing");
  const output = await opened.service.probe(opened.uri, opened.endpoint, signal);
  if (!output) return exitCodes.usage;
  print(output, options.json, terminal);
  return output.ok && !signal.aborted ? exitCodes.ok : exitCodes.failed;
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
  if (!output) return exitCodes.usage;
  print(output, options.json, terminal);
  return output.ok ? exitCodes.ok : exitCodes.failed;
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
  const { target } = options;
  const hasFile = isFile(target);
  if (!hasFile && options.endpoint !== undefined)
    throw new UsageError("--endpoint needs a notebook.", { hint: `\`${target}\` is an endpoint itself.` });
  const opened = hasFile ? await openNotebooks([target], host.files, screen) : [];
  if (!opened) return undefined;
  const { service, terminal } = openService(host, screen);
  const [file] = opened;
  const uri = file?.uri ?? pathToFileURL(resolve(notebook)).href;
  const endpoint = hasFile ? options.endpoint : target;
  service.openText(uri, file?.text ?? "[]");
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service, hasFile ? undefined : "the command line");
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  noteEndpointProblems(service, terminal);
  if (wrong.length > 0) return undefined;
  if (!(await canWrite([reportOutput(options)], [uri], { service, host, terminal }))) return undefined;
  return { service, terminal, uri, endpoint };
}

function print(output: CellOutput, json: boolean, terminal: Terminal): void {
  if (json) terminal.print(output.json);
  else printReports(output.reports, terminal);
}
