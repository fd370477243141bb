import type { ReadCode } from "../abi/guessedAbi.ts";
import { contractFileText } from "../abi/verifiedContract.ts";
import type { Explanation } from "../base/error.ts";
import type { Downloads } from "../base/ports.ts";
import { oneLine, plural } from "../base/text.ts";
import { homeFolder, parentFolder } from "../base/uri.ts";
import { explainUnsent } from "../gate/unsentReason.ts";
import type {
  AddContractParams,
  AddContractResult,
  LookUpNamesResult,
  LookupParams,
  LookupResult,
  SaveContractsResult,
} from "../protocol/lookup.ts";
import type { Settings } from "../protocol/settings.ts";
import type { RunSupport } from "../run/documentRun.ts";
import type { NotFound } from "../workspace/contractOnChain.ts";
import type { Document } from "../workspace/documents.ts";
import {
  defaultHostUnlessNamed,
  type LookUpContractParams,
  lookUpContract,
  lookupQuestion,
} from "../workspace/lookUpContract.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import { addContract, contractText, type NewContractFile } from "./addContract.ts";
import { type GuessedContract, guessContract } from "./guessContract.ts";

interface AddedContractParams extends Omit<LookUpContractParams, "client" | "api"> {
  /** Absent for the usual one, unless the entry of the endpoint names another one: then none is asked. */
  readonly api?: string | undefined;
  /** Asked about the contract; without it, and without a chain, that of the notebook is. */
  readonly endpoint?: string | undefined;
  /** URI of the folder that has the folder `contracts`. */
  readonly folder?: string;
  /** Whether to guess from the code: never, if no lookup host knows the contract, or without asking one. */
  readonly guess?: "never" | "unknown" | "only";
}

/** A contract that was added to a project. */
interface AddedContract {
  /** Of its file. */
  readonly uri: string;
  readonly text: string;
  readonly notes: readonly string[];
  /** Selectors of the ABI are not in the code. */
  readonly isMisfit: boolean;
}

interface FoundContract extends GuessedContract {
  readonly isMisfit?: boolean;
}

/** Looking up contracts by their addresses. */
export type ContractLookup = ReturnType<typeof openContractLookup>;

/** What lookups need beside a workspace. */
interface LookupTools {
  readonly downloads?: Downloads | undefined;
  readonly readCode?: ReadCode | undefined;
  readonly settings: Settings;
}

export function openContractLookup(documents: OpenDocuments, support: RunSupport, tools: LookupTools) {
  /**
   * Looks up a contract, or guesses it, and adds its file to the project. A person must have agreed.
   *
   * @param uri - Of a notebook whose endpoint is asked. For any other file, that of the notebook that was opened last.
   */
  const add = async (
    uri: string,
    { folder, ...params }: AddedContractParams,
    signal: AbortSignal,
  ): Promise<AddedContract | Explanation | NotFound> => {
    const document = documents.of(uri) ?? documents.lastOpened();
    if (!document) return { what: "No open notebook says which endpoint to ask.", todo: "Open a notebook." };
    const found = await findContract(document, params, signal, support, tools);
    if ("what" in found) return found;
    const added = await addContract(found.file, folder ?? projectOf(document, support), support);
    return "what" in added
      ? added
      : { ...added, text: found.text, notes: found.notes, isMisfit: found.isMisfit ?? false };
  };
  /** The hosts that a person was asked about, by address: another one that a file names since then is not asked. */
  const askedHosts = new Map<string, string>();
  return {
    addContract: add,
    /** Returns the question before a contract is looked up. */
    async lookup({ uri, address }: LookupParams): Promise<LookupResult> {
      const document = documents.of(uri) ?? documents.lastOpened();
      if (document) await support.routes.settled(document.uri);
      const named = document && support.routes.of(document).endpoint?.contracts;
      const asked = lookupQuestion(address, named ?? tools.settings.rpcNotebook?.lookupHost);
      if (!("what" in asked)) askedHosts.set(address, asked.api);
      return "what" in asked ? { refused: sentences(asked) } : { words: asked.words, host: asked.host };
    },
    /** Looks up the contracts in the results of a notebook, after a question, and draws the results again. */
    async lookUpNames(uri: string, signal: AbortSignal): Promise<LookUpNamesResult> {
      const document = documents.of(uri);
      return (document && (await support.resultNames?.lookUp(document.uri, signal))) ?? {};
    },
    /** Writes what lookup hosts said about contracts on the chain of a notebook, each as a file of its project. */
    async saveContracts(uri: string): Promise<SaveContractsResult> {
      const document = documents.of(uri);
      const found = document ? await support.contracts.remembered(document) : [];
      if (!document || found.length === 0)
        return { note: "No contract of this notebook was looked up. Use Look Up Names first.", files: [] };
      return support.mask.own(await saveFiles(found, projectOf(document, support), support));
    },
    /** Looks up a contract after a yes to that question; or guesses it, which asks no lookup host. */
    async addAskedContract(
      { uri, address, guess = false }: AddContractParams,
      signal: AbortSignal,
    ): Promise<AddContractResult> {
      const asked = lookupQuestion(address, askedHosts.get(address) ?? tools.settings.rpcNotebook?.lookupHost);
      askedHosts.delete(address);
      const how = { address, guess: guess ? "only" : "never" } as const;
      const added = "what" in asked ? asked : await add(uri, { ...how, api: asked.api }, signal);
      const canGuess = "what" in added && isGuessable(added) && tools.readCode !== undefined;
      if ("what" in added) return support.mask.own({ refused: sentences(added), canGuess });
      const { uri: file, text, notes } = added;
      return support.mask.own({ uri: file, notes, text: `${text} Run a cell again to see its names.` });
    },
  };
}

/** Looks up a contract, or guesses it. */
async function findContract(
  document: Document,
  { endpoint, guess = "never", ...params }: Omit<AddedContractParams, "folder">,
  signal: AbortSignal,
  support: RunSupport,
  tools: LookupTools,
): Promise<FoundContract | Explanation | NotFound> {
  const asksChain = params.chainId === undefined || endpoint !== undefined || guess !== "never";
  const prober = asksChain ? await support.routes.prober(document, endpoint, signal) : undefined;
  if (prober && "kind" in prober) return explainUnsent(prober, () => []);
  const client = prober?.asker;
  const guessed = client && (() => guessContract(params.address, client, signal, support, tools.readCode));
  if (guessed && guess === "only") return guessed();
  const api = params.api ?? defaultHostUnlessNamed(client?.endpoint);
  if (typeof api !== "string") return api;
  const found = await lookUpContract({ ...params, client, api }, signal, { ...tools, ...support });
  if ("what" in found) return guessed && guess === "unknown" && isGuessable(found) ? guessed() : found;
  const { name, address, chainId } = found.file.contract;
  support.routes.rememberLookup(api, [{ chainId, address }]);
  const file = { name, address, chainId, text: contractFileText(found.file) };
  const isCompared = found.file.fits !== undefined;
  if (isCompared) await support.knownContracts.keep(api, { chainId, address }, file.text); // for other projects
  return { file, text: contractText(found.file), notes: found.notes, isMisfit: found.file.fits === false };
}

/** Writes files of contracts, and says what was not written. */
async function saveFiles(
  found: readonly NewContractFile[],
  folder: string,
  support: RunSupport,
): Promise<SaveContractsResult> {
  const files: string[] = [];
  const refused: string[] = [];
  for (const file of found) {
    const added = await addContract(file, folder, support);
    if ("uri" in added) files.push(added.uri);
    else refused.push(sentences(added));
  }
  const done = `${plural(files.length, "contract")} written to the folder "contracts".`;
  return { note: oneLine([done, ...new Set(refused)].join(" "), 400), files };
}

function projectOf({ uri }: Document, { roots, files }: RunSupport): string {
  return homeFolder(uri, roots, files) ?? parentFolder(uri);
}

/** Whether no lookup host knows the contract, although it is one. */
export function isGuessable(found: Explanation | NotFound): boolean {
  return "reason" in found && (found.reason === "unverified" || found.reason === "local-chain");
}

function sentences({ what, todo }: Explanation): string {
  return `${what} ${todo}`;
}
