import type { Explanation } from "../base/error.ts";
import type { Downloads } from "../base/ports.ts";
import { homeFolder, parentFolder } from "../base/uri.ts";
import { explainUnsent } from "../gate/unsentReason.ts";
import type { AddContractParams, AddContractResult, LookupResult } from "../protocol/lookup.ts";
import type { Settings } from "../protocol/settings.ts";
import type { RunSupport } from "../run/documentRun.ts";
import { type LookUpContractParams, lookUpContract, lookupQuestion } from "../workspace/lookUpContract.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import { addContract, contractText } from "./addContract.ts";

interface AddedContractParams extends Omit<LookUpContractParams, "client"> {
  /** Asked about the contract; without it, and without a chain, that of the notebook is. */
  readonly endpoint?: string | undefined;
  /** URI of the folder that has the folder `contracts`. */
  readonly folder?: string;
}

/** A contract that was added to a project. */
interface AddedContract {
  /** Of its file. */
  readonly uri: string;
  readonly text: string;
  readonly notes: readonly string[];
}

/** Looking up contracts by their addresses. */
export type ContractLookup = ReturnType<typeof openContractLookup>;

export function openContractLookup(
  documents: OpenDocuments,
  support: RunSupport,
  host: { readonly downloads?: Downloads | undefined; readonly settings: Settings },
) {
  /**
   * Looks up a contract and adds its file to the project. A person must have agreed.
   *
   * @param uri - Of a notebook whose endpoint is asked. For any other file, that of the notebook that was opened last.
   */
  const add = async (
    uri: string,
    { folder, endpoint, ...params }: AddedContractParams,
    signal: AbortSignal,
  ): Promise<AddedContract | Explanation> => {
    const document = documents.of(uri) ?? documents.lastOpened();
    if (!document) return { what: "No open notebook says which endpoint to ask.", todo: "Open a notebook." };
    const asksChain = params.chainId === undefined || endpoint !== undefined;
    const prober = asksChain ? await support.routes.prober(document, endpoint, signal) : undefined;
    if (prober && "kind" in prober) return explainUnsent(prober, () => []);
    const found = await lookUpContract({ ...params, client: prober?.asker }, signal, { ...host, ...support });
    if ("what" in found) return found;
    const home = folder ?? homeFolder(document.uri, support.roots, support.files) ?? parentFolder(document.uri);
    const added = await addContract(found.file, home, support);
    return "what" in added ? added : { ...added, text: contractText(found.file), notes: found.notes };
  };
  const question = (address: string) => lookupQuestion(address, host.settings.rpcNotebook?.lookupHost);
  return {
    addContract: add,
    /** Returns the question before a contract is looked up. */
    lookup(address: string): LookupResult {
      const asked = question(address);
      return "what" in asked ? { refused: sentences(asked) } : { words: asked.words, host: asked.host };
    },
    /** Looks up a contract after a yes to that question. */
    async addAskedContract({ uri, address }: AddContractParams, signal: AbortSignal): Promise<AddContractResult> {
      const asked = question(address);
      const added = "what" in asked ? asked : await add(uri, { address, api: asked.api }, signal);
      if ("what" in added) return support.mask.own({ refused: sentences(added) });
      return support.mask.own({ ...added, text: `${added.text} Run a cell again to see its names.` });
    },
  };
}

function sentences({ what, todo }: Explanation): string {
  return `${what} ${todo}`;
}
