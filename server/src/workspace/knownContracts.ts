import { type AbiScope, scopeOf } from "../abi/abiScope.ts";
import { artifact, isLookedUp, isMisfit, isPlainName, lookedUpName } from "../abi/artifact.ts";
import type { AbiItem } from "../abi/item.ts";
import { type StorageLayout, storageLayouts } from "../abi/storageLayout.ts";
import { type ChainAddress, contractFileText } from "../abi/verifiedContract.ts";
import { hash64 } from "../base/hash.ts";
import { passesForAddress } from "../base/hex.ts";
import { isObject, parseJson, printJson } from "../base/json.ts";
import { memoByObject, memoOfLast } from "../base/memo.ts";
import type { Cache, Clock, Downloads, Log } from "../base/ports.ts";
import { brief } from "../base/text.ts";
import type { QuestionClient } from "../gate/backgroundClient.ts";
import type { NotFound } from "./contractOnChain.ts";
import { lookUpContract } from "./lookUpContract.ts";

/** What a lookup host has said about a contract. */
export interface KnownContract {
  /** `undefined` if it has no verified sources there, or if they are not those of its code. */
  readonly abis: AbiScope | undefined;
  readonly items: readonly AbiItem[];
  readonly layouts: readonly StorageLayout[];
  readonly name: string | undefined;
  /** The host has no verified sources of it. */
  readonly isUnverified?: true;
}

/** What is known of the contracts of a chain. Another object after each answer. */
export interface KnownOnChain {
  readonly names: readonly (readonly [address: string, name: string])[];
  readonly layouts: readonly { readonly layout: StorageLayout; readonly address: string }[];
  /** Returns the same object for a scope to which this was added. */
  readAlike(scope: object): object;
}

/** The file of a contract, to be added to a project. */
interface KnownFile extends ChainAddress {
  /** An identifier. */
  readonly name: string;
  readonly text: string;
}

interface Answer extends KnownContract {
  /** Milliseconds since 1970. */
  readonly validUntil: number;
}

/** A lookup host, and the endpoint that is asked about the code. */
interface Asked {
  readonly api: string;
  readonly downloads: Downloads;
  readonly client: QuestionClient;
}

const dayMs = 86_400_000;
/** Milliseconds after which an address without a contract is looked up again. */
const noContractMs = 60_000;
/** Contracts in memory. */
const maxKnown = 1_000;

export type KnownContracts = ReturnType<typeof openKnownContracts>;

/**
 * Remembers what lookup hosts have said, by host, chain and address, in memory and in the user's cache folder. Proxies and
 * addresses without verified sources are asked about again after a day.
 */
export function openKnownContracts(cache: Cache | undefined, clock: Clock, log: Log) {
  const memory = openAnswers(clock);
  const { at, remember } = memory;
  const listeners: (() => void)[] = [];
  let version = 0;
  const asking = new Map<string, Promise<KnownContract | NotFound>>();
  const kept = async (key: string): Promise<string | undefined> => cache?.read(key).catch(() => undefined);
  const keep = async (api: string, place: ChainAddress, file: string | undefined): Promise<KnownContract> => {
    const key = keyOf(api, place);
    const { chainId, address } = place;
    const text = `${printJson({ api, chainId, address, date: clock.date() })}\n${file ?? ""}`;
    await cache?.write(key, text).catch(() => {}); // it is asked again
    const answer = remember(key, readAnswer(text, api, place) ?? { ...nothing, validUntil: 0 });
    version++;
    for (const listener of listeners) listener();
    return answer;
  };
  const ask = async (place: ChainAddress, asked: Asked, signal: AbortSignal): Promise<KnownContract | NotFound> => {
    const { api, downloads } = asked;
    const found = await lookUpContract({ ...place, ...asked }, signal, { clock, downloads });
    if (!("what" in found)) {
      for (const note of found.notes) log.warn(note);
      return keep(api, place, contractFileText(found.file));
    }
    if (found.reason === "unverified") return keep(api, place, undefined);
    if (found.reason === "failed" || found.reason === "endpoint") return found;
    return remember(keyOf(api, place), { ...nothing, validUntil: clock.date() + noContractMs });
  };
  return {
    at,
    /** Returns what is in memory of a chain. */
    onChain: memory.onChain,
    /** Calls back after each new answer of a host. */
    onNews: (listener: () => void): void => void listeners.push(listener),
    /** Another number after each of them. */
    get version(): number {
      return version;
    },
    /** Returns the texts of files for the contracts in memory that have verified sources. */
    async filesOn(api: string, chainId: bigint): Promise<readonly KnownFile[]> {
      const places = memory.verifiedOn(api, chainId);
      const files = places.map(async (place) => fileIn(await kept(keyOf(api, place)), api, place));
      return (await Promise.all(files)).filter((file) => file !== undefined);
    },
    /** Keeps the text of the file of a contract that was looked up. */
    keep,
    /** Returns what is in memory or in the cache. Sends nothing. */
    async read(api: string, place: ChainAddress): Promise<KnownContract | undefined> {
      const key = keyOf(api, place);
      const text = at(api, place) ? undefined : await kept(key);
      const answer = text === undefined ? undefined : readAnswer(text, api, place);
      return answer && answer.validUntil > clock.date() ? remember(key, answer) : at(api, place);
    },
    /** Asks a lookup host, once for requests at the same time. A person must have agreed. */
    lookUp(place: ChainAddress, asked: Asked, signal: AbortSignal): Promise<KnownContract | NotFound> {
      const key = keyOf(asked.api, place);
      const answer = asking.get(key) ?? ask(place, asked, signal).finally(() => asking.delete(key));
      asking.set(key, answer);
      return answer;
    },
  };
}

/** Answers in memory. */
function openAnswers(clock: Clock) {
  const answers = new Map<string, Answer>();
  let revision = 0;
  const startOf = (api: string, chainId: bigint): string => keyOf(api, { chainId, address: "" });
  const onChain = memoOfLast((_revision: number, start: string): KnownOnChain => {
    const [names, layouts]: [[string, string][], KnownOnChain["layouts"][number][]] = [[], []];
    for (const [key, answer] of answers) {
      if (!key.startsWith(start)) continue;
      const address = key.slice(start.length);
      if (answer.name !== undefined) names.push([address, answer.name]);
      if (answer.validUntil > clock.date()) for (const layout of answer.layouts) layouts.push({ layout, address });
    }
    return { names, layouts, readAlike: memoByObject((_scope: object) => ({})) };
  });
  return {
    remember(key: string, answer: Answer): KnownContract {
      if (answers.size >= maxKnown) answers.clear();
      answers.set(key, answer);
      revision++;
      return answer;
    },
    /** Returns what is in memory. */
    at(api: string, place: ChainAddress): KnownContract | undefined {
      const answer = answers.get(keyOf(api, place));
      return answer && answer.validUntil > clock.date() ? answer : undefined;
    },
    onChain: (api: string, chainId: bigint): KnownOnChain => onChain(revision, startOf(api, chainId)),
    /** Returns the contracts in memory that have verified sources. */
    verifiedOn(api: string, chainId: bigint): readonly ChainAddress[] {
      const start = startOf(api, chainId);
      const keys = [...answers].flatMap(([key, { abis }]) => (abis && key.startsWith(start) ? key : []));
      return keys.map((key) => ({ chainId, address: key.slice(start.length) }));
    },
  };
}

const nothing: KnownContract = { abis: undefined, items: [], layouts: [], name: undefined };

function keyOf(api: string, { chainId, address }: ChainAddress): string {
  return `contract-${hostHash(api)}-${chainId}-${address}`;
}

/** Reports ask for many contracts of one host. */
const hostHash = memoOfLast(hash64);

/** Returns the file that is kept of a contract; `undefined` if there are no verified sources. */
function fileIn(answer: string | undefined, api: string, place: ChainAddress): KnownFile | undefined {
  if (answer === undefined) return undefined;
  const text = answer.slice(answer.indexOf("\n") + 1);
  const file = parseJson(text);
  if (!isObject(file) || !readAnswer(answer, api, place)?.abis) return undefined;
  return { ...place, name: isPlainName(file.contractName) ? file.contractName : "Contract", text };
}

/** @returns `undefined` if it is not an answer of this host about this contract. */
function readAnswer(text: string, api: string, { chainId, address }: ChainAddress): Answer | undefined {
  const end = text.indexOf("\n");
  const head = parseJson(text.slice(0, end));
  if (!isObject(head) || head.api !== api || head.address !== address || String(head.chainId) !== String(chainId))
    return undefined;
  const date = Number(head.date);
  const file = parseJson(text.slice(end + 1));
  if (file === undefined) return { ...nothing, isUnverified: true, validUntil: date + dayMs };
  if (!isLookedUp(file)) return undefined;
  const validUntil = "implementations" in file ? date + dayMs : Number.POSITIVE_INFINITY;
  if (isMisfit(file)) return { ...nothing, validUntil };
  const [, name] = lookedUpName(file) ?? [];
  const items = artifact(file, "")?.items ?? [];
  const layouts = storageLayouts(file, brief(file.lookedUp.host, 80));
  return {
    abis: scopeOf(items),
    items: items.map((item) => ({ ...item, isRemembered: true })),
    layouts: layouts.map((layout) => ({ ...layout, isRemembered: true })),
    name: name === undefined || passesForAddress(name) ? undefined : name,
    validUntil,
  };
}
