import { checksummed } from "../abi/address.ts";
import { isGuessed, isLookedUp } from "../abi/artifact.ts";
import type { ChainAddress, ContractFile } from "../abi/verifiedContract.ts";
import type { Explanation } from "../base/error.ts";
import { parseJson } from "../base/json.ts";
import type { Files } from "../base/ports.ts";
import { listed, oneLine, plural } from "../base/text.ts";
import { childUri, homeFolder, isReservedOnWindows } from "../base/uri.ts";
import { updateFile } from "../files/updateFile.ts";

/** The folder of the files. */
const contractsFolder = "contracts";

/** The file of a contract, to be written. */
export interface NewContractFile extends ChainAddress {
  /** An identifier. */
  readonly name: string;
  readonly text: string;
}

/**
 * Writes the file of a contract that was looked up or guessed, in place of an older one of the same contract.
 *
 * @param folder - URI of the folder that has the folder `contracts`.
 * @returns The URI of the file.
 */
export async function addContract(
  file: NewContractFile,
  folder: string,
  { files, roots }: { readonly files: Files; readonly roots: readonly string[] },
): Promise<{ readonly uri: string } | Explanation> {
  const { name, address, text } = file;
  const plain = isReservedOnWindows(name) ? `${name}_` : name;
  for (const stem of [plain, `${plain}.${address.slice(2, 10)}`]) {
    const shown = `${contractsFolder}/${stem}.json`;
    const uri = childUri(childUri(folder, contractsFolder), `${stem}.json`);
    const target = { uri, name: shown, within: homeFolder(uri, roots, files) ?? folder, createsFolders: true };
    const written = await updateFile(files, target, (before) =>
      before === text ? "unchanged" : isOlder(before, file) ? { text } : taken,
    );
    if (typeof written === "string") return { uri };
    if (written !== taken) return written;
  }
  return {
    what: `${contractsFolder}/${plain}.json exists and was not written by a lookup.`,
    todo: "Rename that file, then look up the contract again.",
  };
}

const taken: Explanation = { what: "", todo: "" };

/** Whether the file is missing, or describes the same contract as an earlier lookup did. */
function isOlder(before: string | undefined, { address, chainId }: ChainAddress): boolean {
  const json = before === undefined ? undefined : parseJson(before);
  if (json === undefined || !(isLookedUp(json) || isGuessed(json))) return before === undefined;
  return json.address === checksummed(address) && String(json.chainId) === String(chainId);
}

/** Says in a sentence which contract a file describes. */
export function contractText({ contract, implementations, fits, host }: ContractFile): string {
  const { name, address, chainId, match } = contract;
  const from = oneLine(host, 80);
  const verified = fits === false ? `but its code does not fit the ABI from ${from}` : `${match} match at ${from}`;
  const behind = implementations.map((one) => `${one.name} at ${checksummed(one.address)} (${one.match} match)`);
  const calls = behind.length > 0 ? `, which calls ${listed(behind)}` : "";
  const all = [contract, ...implementations].flatMap((one) => one.items);
  const counts = (["function", "event", "error"] as const).flatMap((kind) => {
    const count = all.filter((item) => item.kind === kind).length;
    return count > 0 ? plural(count, kind) : [];
  });
  return `${name} at ${checksummed(address)} on chain ${chainId}, ${verified}${calls}${counts.length > 0 ? `: ${listed(counts)}` : ""}.`;
}
