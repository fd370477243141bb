import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { oneLine } from "../base/text.ts";
import { defaultLookupHost } from "../catalog/lookupHost.ts";
import { isGuessable } from "../save/contractLookup.ts";
import type { Host } from "../workspace/host.ts";
import { chooseEndpoint } from "./choose.ts";
import type { ContractsOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import { exitCodes } from "./terminal.ts";

/** A notebook that is only in memory: its folder says which endpoint files count. */
export const contractsNotebook = "contracts.rpc.json";

/**
 * `rpc-notebook contracts add`: looks contracts up and writes a file for each.
 *
 * @returns The exit code.
 */
export async function addContracts(
  { addresses, chainId, endpoint, api, guess }: ContractsOptions,
  host: Host,
  { terminal: screen, signal }: CommandLineHost,
): Promise<number> {
  const { service, terminal } = openService(host, screen);
  const uri = pathToFileURL(resolve(contractsNotebook)).href;
  service.openText(uri, "[]");
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service);
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (chainId === undefined || endpoint !== undefined) noteEndpointProblems(service, terminal);
  if (wrong.length > 0) return exitCodes.usage;
  const folder = pathToFileURL(resolve()).href;
  let isFine = true;
  for (const address of addresses) {
    terminal.progress(`… asking ${new URL(api ?? defaultLookupHost).host} about ${oneLine(address, 60)}`);
    const params = { address, chainId, endpoint, api, folder, guess: guess ? "unknown" : "never" } as const;
    const added = await service.addContract(uri, params, signal);
    if ("what" in added) {
      const isUnverified = isGuessable(added);
      const other = isUnverified ? " Or add --guess." : (chainId ?? endpoint) ? "" : " Or add --chain ID.";
      terminal.complain(added.what, `${added.todo}${other}`);
      isFine = false;
      continue;
    }
    terminal.print(`${oneLine(relative("", fileURLToPath(added.uri)))}: ${added.text}`);
    for (const note of added.notes) terminal.note(note);
  }
  return isFine ? exitCodes.ok : exitCodes.failed;
}
