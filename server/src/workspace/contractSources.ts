import { checksummed } from "../abi/address.ts";
import { type ChainAddress, type SourceFile, sourceFields, verifiedSources } from "../abi/verifiedContract.ts";
import type { Explanation } from "../base/error.ts";
import { hash64 } from "../base/hash.ts";
import { isAddress } from "../base/hex.ts";
import { isObject, type JsonObject, parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { oneLine } from "../base/text.ts";
import { explainUnsent } from "../gate/unsentReason.ts";
import type { OpenSourceParams, OpenSourceResult } from "../protocol/lookup.ts";
import { contractOnChain, type NotFound } from "./contractOnChain.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import { askLookupHost, isLocalChain } from "./lookUpContract.ts";
import type { OpenDocuments } from "./openDocuments.ts";
import type { LookupHost, Routes } from "./routes.ts";

/** The scheme of read-only documents with the source files of contracts. */
export const sourceScheme = "rpc-source";

/** Contracts to which one passes calls on, and whose sources are asked for. */
const maxImplementations = 16;
/** Contracts in memory. */
const maxKept = 20;

/** The source files of contracts: a lookup host is asked for them when a person opens them, and they are kept. */
export function openContractSources(
  documents: OpenDocuments,
  { routes, mask }: { readonly routes: Routes; readonly mask: Mask },
  { cache }: Pick<WorkspaceHost, "cache">,
) {
  const kept = openKeptSources(cache);
  /** Asks for what is not kept, after a question. */
  const find = async (document: Document, address: string, signal: AbortSignal) => {
    await routes.settled(document.uri);
    const host = routes.lookupHost(routes.of(document).endpoint?.contracts);
    if (!host) return wrong("Sources cannot be opened here.", "Set `rpcNotebook.lookupHost` to the URL of a host.");
    const prober = await routes.prober(document, undefined, signal);
    if ("kind" in prober) return explainUnsent(prober, () => []);
    const seen = await contractOnChain(address, prober.asker, signal);
    if ("what" in seen) return seen;
    const { chainId, passesTo } = seen;
    if (isLocalChain(chainId)) return wrong(`Chain ${chainId} is a local chain.`, "Its sources are in a project.");
    const place = { chainId, address };
    const places = [...passesTo.slice(0, maxImplementations).map((one) => ({ chainId, address: one })), place];
    const wanted = (await kept.without(hostOf(host), places)).filter((one) => mask.text(one.address) === one.address); // it can be a secret
    if (wanted.length > 0 && !(await isAllowed(host, place, wanted, signal)))
      return wrong(`${hostOf(host)} was not asked for sources.`, "Allow it to open them.");
    const fault = await ask(host, wanted, signal);
    const files = fault ? [] : await kept.filesOf(hostOf(host), places);
    if (files.length > 0) return files;
    return fault ?? wrong(`${hostOf(host)} has no verified sources of ${address} on chain ${chainId}.`, "");
  };
  /** A person who has said yes to looking a contract up is not asked again. */
  const isAllowed = async (
    { api, verdict }: LookupHost,
    place: ChainAddress,
    wanted: readonly ChainAddress[],
    signal: AbortSignal,
  ): Promise<boolean> =>
    verdict === "always" ||
    (verdict === "ask" && (routes.hasAllowedLookup(api, place) || (await routes.allowLookup(api, wanted, signal))));
  /** Keeps what a lookup host says. Returns what failed. */
  const ask = async (host: LookupHost, wanted: readonly ChainAddress[], signal: AbortSignal) => {
    const found = await Promise.all(
      wanted.map(async (place): Promise<NotFound | undefined> => {
        const answer = await askLookupHost(place, sourceFields, verifiedSources, { ...host, signal });
        if ("what" in answer) return answer;
        await kept.keep(hostOf(host), place, answer);
        return undefined;
      }),
    );
    return found.find((one) => one?.reason === "failed");
  };
  return {
    /** Returns the source files of a contract, of what it passes calls on to first. Asks a person before it asks a host. */
    async openSource({ uri, address }: OpenSourceParams, signal: AbortSignal): Promise<OpenSourceResult> {
      const document = documents.of(uri) ?? documents.lastOpened();
      const found = !isAddress(address)
        ? wrong(`${oneLine(address, 80)} is not an address.`, "Write 0x and 40 hex digits.")
        : document
          ? await find(document, address.toLowerCase(), signal)
          : wrong("No open notebook says which endpoint to ask.", "Open a notebook.");
      return "what" in found ? mask.own({ refused: `${found.what} ${found.todo}`.trim() }) : { files: found };
    },
    sourceText: kept.sourceText,
  };
}

/** Source files in memory and in the user's cache folder. Sends nothing. */
function openKeptSources(cache: WorkspaceHost["cache"]) {
  const kept = new Map<string, readonly SourceFile[]>();
  const read = async (host: string, place: ChainAddress): Promise<readonly SourceFile[] | undefined> => {
    const key = keyOf(host, place);
    const known = kept.get(key);
    if (known) return known;
    const json = parseJson((await cache?.read(key).catch(() => undefined)) ?? "");
    const found = isObject(json) && json.host === host ? verifiedSources(json, place) : "";
    return typeof found === "string" ? undefined : found;
  };
  return {
    async keep(host: string, place: ChainAddress, files: readonly SourceFile[]): Promise<void> {
      const key = keyOf(host, place);
      if (kept.size >= maxKept) kept.clear();
      kept.set(key, files);
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
    /** Returns the text of such a document: a tab of an earlier session is not a question of a person. */
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

function hostOf({ api }: LookupHost): string {
  return new URL(api).host;
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
  return files.map(({ name }, at) => {
    const last = name.slice(name.lastIndexOf("/") + 1).slice(-80);
    const uri = `${sourceScheme}://${host}/${chainId}/${address}/${at}/${last.replace(/[^\w.-]/g, "_") || "source"}`;
    return { uri, name: oneLine(name, 200), address: checksummed(address) };
  });
}
