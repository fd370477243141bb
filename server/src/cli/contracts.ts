import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checksummed } from "../abi/address.ts";
import { isLookedUp } from "../abi/artifact.ts";
import { type ContractFile, contractFileText } from "../abi/verifiedContract.ts";
import type { Explanation } from "../base/error.ts";
import { parseJson } from "../base/json.ts";
import { listed, oneLine, plural } from "../base/text.ts";
import { homeFolder, isReservedOnWindows } from "../base/uri.ts";
import { updateFile } from "../files/updateFile.ts";
import type { FoundContract } from "../inspect/lookUpContract.ts";
import type { Host } from "../workspace/host.ts";
import { chooseEndpoint } from "./choose.ts";
import type { ContractsOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import { exitCodes } from "./terminal.ts";

/** The folder of the files, in the working folder. All notebooks of the project read it. */
const folder = "contracts";
/** A notebook that is only in memory: its folder says which endpoint files count. */
export const contractsNotebook = "contracts.rpc.json";

/**
 * `rpc-notebook contracts add`: looks contracts up and writes a file for each.
 *
 * @returns The exit code.
 */
export async function addContracts(
  { addresses, chainId, endpoint, api }: ContractsOptions,
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
  let isFine = true;
  for (const address of addresses) {
    terminal.progress(`… asking ${new URL(api).host} about ${oneLine(address, 60)}`);
    const fault = await addOne(await service.lookUpContract(uri, { address, chainId, endpoint, api }, signal));
    if (fault) terminal.complain(fault.what, fault.todo);
    if (fault) isFine = false;
  }
  return isFine ? exitCodes.ok : exitCodes.failed;

  async function addOne(found: FoundContract | Explanation | undefined): Promise<Explanation | undefined> {
    if (!found || "what" in found) return found;
    const path = await save(found.file, host);
    if (typeof path !== "string") return path;
    terminal.print(`${path}: ${described(found.file)}`);
    for (const note of found.notes) terminal.note(note);
    return undefined;
  }
}

/** Writes the file of a contract, in place of an older one of the same contract. @returns Its path. */
async function save(file: ContractFile, { files, roots }: Host): Promise<string | Explanation> {
  const { name, address } = file.contract;
  const plain = isReservedOnWindows(name) ? `${name}_` : name;
  const taken = "taken";
  for (const stem of [plain, `${plain}.${address.slice(2, 10)}`]) {
    const path = relative("", resolve(join(folder, `${stem}.json`)));
    const uri = pathToFileURL(resolve(path)).href;
    const target = { uri, name: oneLine(path), within: homeFolder(uri, roots, files) ?? "", createsFolders: true };
    const text = contractFileText(file);
    const written = await updateFile(files, target, (before) =>
      before === text ? "unchanged" : isOlder(before, file) ? { text } : { what: taken, todo: "" },
    );
    if (typeof written === "string") return oneLine(path);
    if (written.what !== taken) return written;
  }
  return {
    what: `${oneLine(join(folder, `${plain}.json`))} exists and was not written by this command.`,
    todo: "Rename that file, then repeat the command.",
  };
}

/** Whether there is no file yet, or that of the same contract, as it was looked up before. */
function isOlder(before: string | undefined, { contract: { address, chainId } }: ContractFile): boolean {
  const json = before === undefined ? undefined : parseJson(before);
  if (json === undefined || !isLookedUp(json)) return before === undefined;
  return json.address === checksummed(address) && String(json.chainId) === String(chainId);
}

function described({ contract, implementations, fits, host }: ContractFile): string {
  const { name, address, chainId, match } = contract;
  const verified = fits === false ? "not the ABI of this contract" : `${match} match`;
  const behind = implementations.map((one) => `${one.name} at ${checksummed(one.address)} (${one.match} match)`);
  const calls = behind.length > 0 ? `, which calls ${listed(behind)}` : "";
  const all = [contract, ...implementations].flatMap((one) => one.items);
  const counts = (["function", "event", "error"] as const).map((kind) =>
    plural(all.filter((item) => item.kind === kind).length, kind),
  );
  return `${name} at ${checksummed(address)} on chain ${chainId}, ${verified} at ${oneLine(host, 80)}${calls}: ${listed(counts)}.`;
}
