import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Explanation } from "../base/error.ts";
import { oneLine } from "../base/text.ts";
import { childUri, homeFolder } from "../base/uri.ts";
import { isGuessable } from "../save/contractLookup.ts";
import { saveSources } from "../save/saveSources.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { chooseEndpoint } from "./choose.ts";
import type { ContractsOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** A notebook that is only in memory: its folder says which endpoint files count. */
export const contractsNotebook = "contracts.rpc.json";

/**
 * `rpc-notebook contracts add` looks contracts up and writes a file for each; `contracts source` prints or writes their sources.
 *
 * @returns The exit code.
 */
export async function contracts(
  options: ContractsOptions,
  host: Host,
  { terminal: screen, signal }: CommandLineHost,
): Promise<number> {
  const { verb, addresses, chainId, endpoint } = options;
  const { service, terminal } = openService(host, screen);
  const uri = pathToFileURL(resolve(contractsNotebook)).href;
  service.openText(uri, "[]");
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service);
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (chainId === undefined || endpoint !== undefined) noteEndpointProblems(service, terminal);
  if (wrong.length > 0) return exitCodes.usage;
  const perform = verb === "add" ? addContract : showSources;
  let isFine = true;
  for (const address of addresses) {
    terminal.progress(`… looking up ${oneLine(address, 60)}`);
    const fault: Fault | undefined = await perform({ address, ...options, uri, service, terminal, host, signal });
    if (!fault) continue;
    isFine = false;
    const other = (fault.isMisfit ?? chainId ?? endpoint) ? "" : " Or add --chain ID.";
    terminal.complain(
      fault.what,
      isGuessable(fault) && verb === "add" ? `${fault.todo} Or add --guess.` : `${fault.todo}${other}`,
    );
  }
  return isFine ? exitCodes.ok : exitCodes.failed;
}

interface Work extends ContractsOptions {
  readonly address: string;
  readonly uri: string;
  readonly service: Service;
  readonly terminal: Terminal;
  readonly host: Host;
  readonly signal: AbortSignal;
}

interface Fault extends Explanation {
  /** The contract was found, but its ABI does not fit. */
  readonly isMisfit?: true;
}

async function addContract(work: Work): Promise<Fault | undefined> {
  const { address, uri, chainId, endpoint, api, guess, service, terminal, signal } = work;
  const folder = pathToFileURL(resolve()).href;
  const params = { address, chainId, endpoint, api, folder, guess: guess ? "unknown" : "never" } as const;
  const added = await service.addContract(uri, params, signal);
  if ("what" in added) return added;
  terminal.print(`${oneLine(relative("", fileURLToPath(added.uri)))}: ${added.text}`);
  for (const note of added.notes) terminal.note(note);
  if (!added.isMisfit) return undefined;
  return {
    what: `The ABI of ${address} does not fit its code.`,
    todo: "Remove the file, or name the right ABI in the notebook.",
    isMisfit: true,
  };
}

async function showSources(work: Work): Promise<Explanation | undefined> {
  const { address, uri, chainId, endpoint, api, out, service, terminal, host, signal } = work;
  const found = await service.contractSources(uri, { address, chainId, endpoint, api }, signal);
  if ("what" in found) return found;
  if (out === undefined) {
    for (const { name, address: of, text } of found) terminal.print(`// ${name} of ${of}\n${text.trimEnd()}\n`);
    return undefined;
  }
  const folder = pathToFileURL(resolve(out)).href;
  const within = homeFolder(childUri(folder, "file"), host.roots, host.files) ?? folder;
  const { written, note, fault } = await saveSources(found, { uri: folder, name: oneLine(out), within }, host.files);
  for (const one of written) terminal.print(oneLine(relative("", fileURLToPath(one))));
  if (note !== undefined) terminal.note(note);
  return fault;
}
