import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Host } from "../workspace/host.ts";
import { chooseEndpoint } from "./choose.ts";
import type { StorageOptions } from "./command.ts";
import { noteEndpointProblems } from "./endpointFiles.ts";
import { openNotebooks } from "./files.ts";
import { openService } from "./openService.ts";
import { canWrite, reportOutput } from "./outputFile.ts";
import { printReports } from "./printReports.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** The name of a notebook in the working folder that exists only in memory. */
const inMemory = "storage.rpc.json";

/** The file of the command. The project is searched for upwards from its folder. */
export function filesOf({ notebook = inMemory }: StorageOptions): readonly string[] {
  return [notebook];
}

/**
 * `rpc-notebook storage`: lists what a contract stores.
 *
 * @returns The exit code.
 */
export async function storage(
  options: StorageOptions,
  host: Host,
  screen: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { notebook, contract, address, blocks, endpoint, json } = options;
  const opened = notebook === undefined ? [] : await openNotebooks([notebook], host.files, screen);
  if (!opened) return exitCodes.usage;
  const { service, terminal } = openService(host, screen);
  const [file] = opened;
  const uri = file?.uri ?? pathToFileURL(resolve(inMemory)).href;
  service.openText(uri, file?.text ?? "[]");
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service);
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  noteEndpointProblems(service, terminal);
  if (wrong.length > 0) return exitCodes.usage;
  if (!(await canWrite([reportOutput(options)], [uri], { service, host, terminal }))) return exitCodes.usage;
  terminal.progress("… reading storage");
  const output = await service.contractStorage(
    { uri, contract, address, blocks, ...(endpoint !== undefined && { endpoint }) },
    signal,
  );
  if (!output) return exitCodes.usage;
  if (json) terminal.print(output.json);
  else printReports(output.reports, terminal);
  return output.ok && !signal.aborted ? exitCodes.ok : exitCodes.failed;
}
