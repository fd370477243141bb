import { checksummed } from "../abi/address.ts";
import { type ChainAddress, type SourceFile, sourceFields, verifiedSources } from "../abi/verifiedContract.ts";
import type { Explanation } from "../base/error.ts";
import { hash64 } from "../base/hash.ts";
import { isAddress } from "../base/hex.ts";
import { isObject, type JsonObject, parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { oneLine } from "../base/text.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { explainUnsent } from "../gate/unsentReason.ts";
import type { OpenSourceParams, OpenSourceResult, SourceDocument } from "../protocol/lookup.ts";
import { askLookupHost } from "./askLookupHost.ts";
import { contractOnChain, maxImplementations, type NotFound } from "./contractOnChain.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import { defaultHostUnlessNamed, isLocalChain } from "./lookUpContract.ts";
import type { OpenDocuments } from "./openDocuments.ts";
import type { ContractHost, Routes } from "./routes.ts";
import { sourceScheme } from "./sourceScheme.ts";

/** Contracts in memory. */
const maxKept = 20;

/** Whose sources are wanted, and which host is asked for them. */
interface SourceQuestion {
  readonly address: string;
  /** Without an endpoint, none is asked. */
  readonly chainId?: bigint | undefined;
  readonly endpoint?: string | undefined;
  /** Returns the lookup host, or why there is none. */
  host(endpoint: Endpoint | undefined): ContractHost | Explanation;
  /** Asks a person about contracts, unless that is not necessary for this one. */
  isAllowed(place: ChainAddress, wanted: readonly ChainAddress[]): Promise<boolean>;
}

/** A source file of a contract. All of it is text of a stranger. */
export interface ContractSource extends SourceFile, SourceDocument {}

/** The source files of contracts: a lookup host is asked for them when a person opens them, and they are kept. */
export function openContractSources(
  documents: OpenDocuments,
  { routes, mask }: { readonly routes: Routes; readonly mask: Mask },
  { cache, downloads }: WorkspaceHost,
) {
  const kept = openKeptSources(cache);
  const find = (document: Document, question: SourceQuestion, signal: AbortSignal) =>
    findSources(document, question, kept, { routes, mask }, signal);
  return {
    /** Returns the source files of a contract, of what it passes calls on to first. Asks a person before it asks a host. */
    async openSource({ uri, address }: OpenSourceParams, signal: AbortSignal): Promise<OpenSourceResult> {
      const document = documents.of(uri) ?? documents.lastOpened();
      const host = document && routes.lookupHost(routes.of(document).endpoint?.contracts);
      const question: SourceQuestion = {
        address: address.toLowerCase(),
        host: () =>
          host ?? wrong("Sources cannot be opened here.", "Set `rpcNotebook.lookupHost` to the URL of a host."),
        isAllowed: async (place, wanted) =>
          host?.verdict === "always" ||
          (host?.verdict === "ask" &&
            (routes.hasAllowedLookup(host.api, place) || (await routes.allowLookup(host.api, wanted, signal)))),
      };
      const found = !isAddress(address)
        ? wrong(`${oneLine(address, 80)} is not an address.`, "Write 0x and 40 hex digits.")
        : document
          ? await find(document, question, signal)
          : wrong("No open notebook says which endpoint to ask.", "Open a notebook.");
      return "what" in found
        ? mask.own({ refused: `${found.what} ${found.todo}`.trim() })
        : { files: found.map(({ uri: of, name, address: at }) => ({ uri: of, name, address: at })) };
    },
    /**
     * Returns the same files, with their texts. The caller has the person's consent.
     *
     * @param asked - `api` is absent for the usual lookup host, unless the entry of the endpoint names another one.
     */
    async contractSources(
      uri: string,
      asked: Pick<SourceQuestion, "chainId" | "endpoint"> & {
        readonly address: string;
        readonly api?: string | undefined;
      },
      signal: AbortSignal,
    ): Promise<readonly ContractSource[] | Explanation> {
      const document = documents.of(uri);
      if (!document || !downloads) return wrong("Sources cannot be asked for here.", "Use another command.");
      const host: SourceQuestion["host"] = (endpoint) => {
        const api = asked.api ?? defaultHostUnlessNamed(endpoint);
        return typeof api === "string" ? { api, downloads } : api;
      };
      const found = await find(document, { ...asked, host, isAllowed: async () => true }, signal);
      return "what" in found ? mask.own(found) : found;
    },
    sourceText: kept.sourceText,
  };
}

/** Asks for what is not kept, and names all files. */
async function findSources(
  document: Document,
  { address, ...question }: SourceQuestion,
  kept: KeptSources,
  { routes, mask }: { readonly routes: Routes; readonly mask: Mask },
  signal: AbortSignal,
): Promise<readonly ContractSource[] | Explanation> {
  await routes.settled(document.uri);
  const asksChain = question.chainId === undefined || question.endpoint !== undefined;
  const prober = asksChain ? await routes.prober(document, question.endpoint, signal) : undefined;
  if (prober && "kind" in prober) return explainUnsent(prober, () => []);
  const host = question.host(prober?.asker.endpoint);
  if ("what" in host) return host;
  const seen = prober && (await contractOnChain({ address, chainId: question.chainId }, prober.asker, signal));
  if (seen && "what" in seen) return seen;
  const chainId = seen?.chainId ?? question.chainId ?? 0n;
  if (isLocalChain(chainId)) return wrong(`Chain ${chainId} is a local chain.`, "Its sources are in a project.");
  const place = { chainId, address };
  const passesTo = (seen?.passesTo ?? []).slice(0, maxImplementations);
  const places = [...passesTo.map((one) => ({ chainId, address: one })), place];
  const { host: name } = new URL(host.api);
  const wanted = (await kept.without(name, places)).filter((one) => mask.text(one.address) === one.address); // it can be a secret
  if (wanted.length > 0 && !(await question.isAllowed(place, wanted)))
    return wrong(`${name} was not asked for sources.`, "Allow it to open them.");
  const fault = await askForSources(host, wanted, kept, signal);
  const files = fault ? [] : await kept.filesOf(name, places);
  if (files.length > 0) return files;
  return fault ?? wrong(`${name} has no verified sources of ${address} on chain ${chainId}.`, "");
}

/** Keeps what a lookup host says. @returns What failed. */
async function askForSources(
  host: ContractHost,
  wanted: readonly ChainAddress[],
  kept: KeptSources,
  signal: AbortSignal,
): Promise<NotFound | undefined> {
  const found = await Promise.all(
    wanted.map(async (place): Promise<NotFound | undefined> => {
      const answer = await askLookupHost(place, sourceFields, verifiedSources, { ...host, signal });
      if ("what" in answer) return answer;
      await kept.keep(new URL(host.api).host, place, answer);
      return undefined;
    }),
  );
  return found.find((one) => one?.reason === "failed");
}

type KeptSources = ReturnType<typeof openKeptSources>;

/** Source files in memory and in the user's cache folder. Sends nothing. */
function openKeptSources(cache: WorkspaceHost["cache"]) {
  const kept = new Map<string, readonly SourceFile[]>();
  const read = async (host: string, place: ChainAddress): Promise<readonly SourceFile[] | undefined> => {
    const key = keyOf(host, place);
    const known = kept.get(key);
    if (known) return known;
    const json = parseJson((await cache?.read(key).catch(() => undefined)) ?? "");
    const found = isObject(json) && json.host === host ? verifiedSources(json, place) : "";
    if (typeof found === "string") return undefined;
    remember(key, found);
    return found;
  };
  const remember = (key: string, files: readonly SourceFile[]): void => {
    for (const oldest of kept.keys()) if (kept.size >= maxKept) kept.delete(oldest);
    kept.set(key, files);
  };
  return {
    async keep(host: string, place: ChainAddress, files: readonly SourceFile[]): Promise<void> {
      const key = keyOf(host, place);
      remember(key, files);
      await cache?.write(key, printJson(answerWith(host, place, files))).catch(() => {}); // they are asked for again
    },
    /** Returns the contracts without sources here. */
    async without(host: string, places: readonly ChainAddress[]): Promise<readonly ChainAddress[]> {
      const files = await Promise.all(places.map((place) => read(host, place)));
      return places.filter((_, at) => !files[at]);
    },
    async filesOf(host: string, places: readonly ChainAddress[]) {
      const files = await Promise.all(places.map(async (place) => namedFiles(host, place, await read(host, place))));
      return files.flat();
    },
    /** Returns the text of such a document. Asks no host: an editor also opens tabs of an earlier session. */
    async sourceText(uri: string): Promise<string> {
      const [, authority = "", chain = "", address = "", at = ""] =
        /^rpc-source:\/\/([^/]+)\/(\d+)\/(0x[0-9a-f]{40})\/(\d+)\//i.exec(uri) ?? [];
      const host = authority.replace(/%3a/i, ":");
      const place = { chainId: BigInt(chain), address: address.toLowerCase() };
      const file = (await read(host, place))?.[Number(at)];
      return file?.text ?? "This source is not kept any more. Use Open Source of Contract again.\n";
    },
  };
}

function wrong(what: string, todo: string): Explanation {
  return { what, todo };
}

function keyOf(host: string, { chainId, address }: ChainAddress): string {
  return `source-${hash64(host)}-${chainId}-${address}`;
}

/** Returns the sources as {@link verifiedSources} reads them, in their order. */
function answerWith(host: string, { chainId, address }: ChainAddress, files: readonly SourceFile[]): JsonObject {
  const sources = Object.fromEntries(files.map(({ name, text }) => [name, { content: text }]));
  const compilation = { fullyQualifiedName: `${files[0]?.name ?? ""}:` };
  return { host, chainId: String(chainId), address: checksummed(address), match: "match", compilation, sources };
}

/** Names files for a person. The last part of a name is that of the tab, and decides the language. */
function namedFiles(host: string, { chainId, address }: ChainAddress, files: readonly SourceFile[] = []) {
  return files.map(({ name, text }, at): ContractSource => {
    const last = name.slice(name.lastIndexOf("/") + 1).slice(-80);
    const uri = `${sourceScheme}://${host}/${chainId}/${address}/${at}/${last.replace(/[^\w.-]/g, "_") || "source"}`;
    return { uri, name: oneLine(name, 200), address: checksummed(address), text };
  });
}
