import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Host } from "../host.ts";
import { reportText } from "../report/text.ts";
import { UsageError } from "./arguments.ts";
import { chooseEndpoint } from "./choose.ts";
import type { ProbeOptions } from "./command.ts";
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
  const { target, json } = options;
  const ofFile = isFile(target);
  if (!ofFile && options.endpoint !== undefined)
    throw new UsageError("--endpoint goes with a notebook.", { hint: `\`${target}\` is an endpoint itself.` });
  const opened = ofFile ? await openNotebooks([target], host.files, screen) : [];
  if (!opened) return exitCodes.usage;
  const { service, terminal } = openService(host, screen);
  const [file] = opened;
  const uri = file?.uri ?? pathToFileURL(resolve(notebook)).href;
  const endpoint = ofFile ? options.endpoint : target;
  service.openText(uri, file?.text ?? "[]");
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service, ofFile ? undefined : "the command line");
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  tellEndpointFiles(service, terminal);
  if (wrong.length > 0) return exitCodes.usage;
  terminal.progress("… probing");
  const output = await service.probe(uri, endpoint, signal);
  if (!output) return exitCodes.usage;
  const { paint, width } = terminal;
  if (json) terminal.print(output.json);
  else
    for (const report of output.reports)
      terminal.print(reportText(report, { paint, ...(width !== undefined && { width }) }));
  return output.ok && !signal.aborted ? exitCodes.ok : exitCodes.failed;
}
