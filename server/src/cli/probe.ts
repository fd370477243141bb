import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { plural } from "../base/text.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import { reportText } from "../report/text.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { UsageError } from "./arguments.ts";
import { chooseEndpoint } from "./choose.ts";
import type { AuditOptions, ProbeOptions } from "./command.ts";
import { tellEndpointFiles } from "./endpointFiles.ts";
import { openNotebooks } from "./files.ts";
import { openService } from "./openService.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** The notebook that stands in the working folder while an endpoint is probed: nobody has written it. */
const notebook = "probe.rpc.json";

/** The paths by which the project around them is found. */
export function filesOf({ target }: ProbeOptions): readonly string[] {
  return [isFile(target) ? target : notebook];
}

function isFile(target: string): boolean {
  return target.endsWith(".json") || existsSync(target);
}

/**
 * `rpc-notebook probe`: says what an endpoint does.
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
 * `rpc-notebook audit`: holds what an endpoint shows as pre-confirmed against what is sealed, until the time is over or
 * Ctrl-C.
 *
 * @returns The exit code: 1 where there was a divergence.
 */
export async function audit(options: AuditOptions, host: Host, screen: Terminal, signal: AbortSignal): Promise<number> {
  const opened = await openTarget(options, host, screen);
  if (!opened) return exitCodes.usage;
  const { service, terminal, uri, endpoint } = opened;
  terminal.progress("… waiting for a block");
  const output = await service.audit(uri, { endpoint, forMs: options.forMs }, signal, (found) => {
    const { blocks, transactions, divergences } = found;
    const compared = `${plural(blocks, "block")}, ${plural(transactions, "transaction")}`;
    terminal.progress(`… ${compared}, ${plural(divergences.length, "divergence")}`);
  });
  if (!output) return exitCodes.usage;
  print(output, options.json, terminal);
  return output.ok ? exitCodes.ok : exitCodes.failed;
}

interface Opened {
  readonly service: Service;
  /** Hides values of the host. */
  readonly terminal: Terminal;
  readonly uri: string;
  readonly endpoint: string | undefined;
}

/** @returns `undefined` where the target or its endpoint cannot be used, which has been said. */
async function openTarget(options: ProbeOptions, host: Host, screen: Terminal): Promise<Opened | undefined> {
  const { target } = options;
  const ofFile = isFile(target);
  if (!ofFile && options.endpoint !== undefined)
    throw new UsageError("--endpoint goes with a notebook.", { hint: `\`${target}\` is an endpoint itself.` });
  const opened = ofFile ? await openNotebooks([target], host.files, screen) : [];
  if (!opened) return undefined;
  const { service, terminal } = openService(host, screen);
  const [file] = opened;
  const uri = file?.uri ?? pathToFileURL(resolve(notebook)).href;
  const endpoint = ofFile ? options.endpoint : target;
  service.openText(uri, file?.text ?? "[]");
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service, ofFile ? undefined : "the command line");
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  tellEndpointFiles(service, terminal);
  return wrong.length > 0 ? undefined : { service, terminal, uri, endpoint };
}

function print(output: CellOutput, json: boolean, terminal: Terminal): void {
  const { paint, width } = terminal;
  if (json) terminal.print(output.json);
  else
    for (const report of output.reports)
      terminal.print(reportText(report, { paint, ...(width !== undefined && { width }) }));
}
