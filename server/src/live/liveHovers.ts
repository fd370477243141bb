import { type AbiScope, withBundled } from "../abi/abiScope.ts";
import { checksummed } from "../abi/address.ts";
import { describedCalls } from "../abi/describedCalls.ts";
import { type CodeFunction, guessedSignatures, type ReadCode } from "../abi/guessedAbi.ts";
import { needsSignatures } from "../abi/needsSignatures.ts";
import { typedDataOf } from "../abi/typedData.ts";
import { untilAborted, withinTime } from "../base/deadline.ts";
import { hash64 } from "../base/hash.ts";
import { isAddress } from "../base/hex.ts";
import { printJson } from "../base/json.ts";
import { escaped, figure, joined, type Markdown, markdown, prose } from "../base/markdown.ts";
import type { Clock } from "../base/ports.ts";
import { formatDuration } from "../base/units.ts";
import { type AssumingRequest, isStale, readBacks, staleText } from "../evaluate/assume/readBack.ts";
import { explorerPage } from "../features/explorerPage.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import { headFrom } from "../gate/heads.ts";
import type { Cell } from "../notebook/cell.ts";
import { sectionsMarkdown } from "../report/markdown.ts";
import type { Tokens } from "../report/tokens.ts";
import { knownNames, type SaidCall, wordsSections } from "../report/words.ts";
import { headQuestion } from "../rpc/head.ts";
import { maskedOutcome } from "../run/result/maskRun.ts";
import type { DescriptorTable } from "../workspace/descriptors.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";
import type { SignatureTable } from "../workspace/signatures.ts";
import { type AddressFacts, addressFacts, addressMarkdown, addressQuestions } from "./address.ts";
import { safeOrDiamond } from "./safeOrDiamond.ts";
import {
  type SimulationAttempt,
  type SimulationRequest,
  simulated,
  simulateWithFallback,
  simulationOf,
  withMovedTokens,
} from "./simulation.ts";
import { simulationMarkdown } from "./simulationMarkdown.ts";

/** The document of something that is asked about in the background, and names for addresses. */
export interface BackgroundContext {
  /** `undefined` for a file that is not a notebook. */
  readonly document: Document | undefined;
  readonly uri: string;
  readonly cell?: Cell;
  /** Names of addresses, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** Name of the address; absent if the text beside the hover has it. */
  readonly name?: string | undefined;
  /** Whether the project declares a function with that selector; absent if it declares none. */
  readonly declares?: ((selector: string) => boolean) | undefined;
}

/** The context of a request in a cell. */
export interface RequestContext extends BackgroundContext {
  readonly document: Document;
  readonly cell: Cell;
  readonly scope: AbiScope;
  readonly tokens: Tokens;
  /** The chain that the request goes to, if that is known. */
  readonly chainId: bigint | undefined;
}

/** Milliseconds that a hover waits for the endpoint. */
const maxWaitMs = 1500;
/** Milliseconds that it waits for the functions of a contract, which the next hover shows if this one does not. */
const maxReadingMs = 400;

/** What live hovers use of the service. */
interface HoverSupport {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly signatures: SignatureTable;
  readonly descriptors: DescriptorTable;
  /** Absent where code cannot be read. */
  readonly readCode?: ReadCode | undefined;
}

/** Hovers that ask the chain, and those that wait for a table. */
export class LiveHovers {
  readonly #support: HoverSupport;
  readonly #facts: RequestCoalescer<AddressFacts>;
  readonly #attempts: RequestCoalescer<SimulationAttempt>;
  readonly #functions: RequestCoalescer<readonly CodeFunction[] | string>;

  constructor(support: HoverSupport) {
    this.#support = support;
    const { clock } = support;
    [this.#facts, this.#attempts] = [openRequestCoalescer(clock), openRequestCoalescer(clock)];
    this.#functions = openRequestCoalescer(clock);
  }

  /** @returns `undefined` if no request may be sent. */
  async address(address: string, context: BackgroundContext, signal: AbortSignal): Promise<Markdown | undefined> {
    const { document, uri, cell, names, name } = context;
    const { clock, routes } = this.#support;
    if (!isAddress(address)) return undefined;
    const client = await routes.backgroundClient(document, uri, cell);
    if ("silent" in client || signal.aborted) return undefined;
    const { endpoint, explorer } = client;
    const key = `${endpoint.name} ${endpoint.url} ${address.toLowerCase()}`;
    const read = (stop: AbortSignal): Promise<AddressFacts> => readFacts(client, address, stop);
    const asked = this.#facts.get(key, client.cadence().periodMs, read, signal);
    const shown = await withinTime(asked, maxWaitMs, clock, signal);
    if (signal.aborted) return undefined;
    if (!shown) return stillWaiting(client);
    const page = explorerPage(explorer, "address", checksummed(address));
    const source = { endpoint: endpoint.name, cadence: client.cadence(), names, name, page };
    return addressMarkdown(shown, { ...source, functions: await this.#guessed(shown, context, signal) });
  }
  /** Says the calls of a request, or what it signs, in words. Sends nothing. @returns `undefined` if no descriptor fits. */
  async words(request: SimulationRequest, context: RequestContext): Promise<Markdown | undefined> {
    const described = await this.#described(request, context);
    if (!described?.length) return undefined;
    return joined([markdown`**In words**`, sectionsMarkdown(wordsSections(described, context.names))], "\n\n");
  }
  /** Whether a request has calls, or signs typed data, and no descriptor says one of them in words. */
  async lacksWords(request: SimulationRequest, context: RequestContext): Promise<boolean> {
    return (await this.#described(request, context))?.length === 0;
  }
  /**
   * Simulates a request at the endpoint of its cell. Nothing is broadcast.
   *
   * @returns `undefined` for requests that cannot be simulated, and if no request may be sent.
   */
  async simulation(
    request: SimulationRequest & AssumingRequest,
    { document, uri, cell, names, scope, tokens }: RequestContext,
    signal: AbortSignal,
  ): Promise<Markdown | undefined> {
    const { clock, routes, signatures } = this.#support;
    if (!simulated.has(request.method)) return undefined;
    const simulation = await simulationOf(request);
    const client = simulation && (await routes.backgroundClient(document, uri, cell));
    if (!client || "silent" in client || signal.aborted) return undefined;
    const { name, url } = client.endpoint;
    const key = `${name} ${url} ${printJson(simulation.full.params)}`;
    const { assumed = [] } = request;
    // the hover simulates the next block if it can, else what the request says
    const backs = [{ ...simulation.full, assumed }, request].flatMap(readBacks);
    const questions = backs.map(({ method, params }) => ({ method, params }));
    const simulate = async (stop: AbortSignal) => {
      const attempt = await simulateWithFallback(simulation, client, stop, questions);
      return withMovedTokens(attempt, { scope, tokens }, client, stop);
    };
    const asked = this.#attempts.get(key, client.cadence().periodMs, simulate, signal);
    const attempt = await withinTime(asked, maxWaitMs, clock, signal);
    if (signal.aborted) return undefined;
    if (!attempt) return stillWaiting(client);
    const { question, outcome, instead, dataFee, others } = attempt;
    const stale = backs.find((back, at) => isStale(back, others[at]));
    if (stale) return markdown`${prose(staleText(stale))} Run the cell to look again.`;
    await signatures.loadIf(() => outcome.kind === "answered" && needsSignatures(outcome.result.value));
    return simulationMarkdown(question, maskedOutcome(outcome, client.mask), {
      names,
      scope: withBundled(scope, signatures.bundled()),
      tokens: new Map([...attempt.tokens, ...tokens]),
      endpoint: name,
      instead,
      dataFee,
    });
  }

  /** Returns the functions of a contract, if the project does not declare all of them; `undefined` if that takes long. */
  async #guessed({ code, what }: AddressFacts, { declares }: BackgroundContext, signal: AbortSignal) {
    const { clock, signatures, readCode } = this.#support;
    if (code === undefined || what?.kind !== "contract" || !readCode) return undefined;
    const reading = this.#functions.get(hash64(code), Number.POSITIVE_INFINITY, (stop) => readCode(code, stop), signal);
    const [found] = await Promise.all([
      withinTime(reading, maxReadingMs, clock, signal),
      signatures.loadIf(() => true),
    ]);
    if (typeof found !== "object" || found.every(({ selector }) => declares?.(selector))) return undefined;
    return guessedSignatures(found, signatures.bundled());
  }
  /** @returns `undefined` if nothing in the request could have words. */
  async #described(
    { method, params }: SimulationRequest,
    { document, names, tokens, chainId }: RequestContext,
  ): Promise<readonly SaidCall[] | undefined> {
    const { descriptors } = this.#support;
    const known = knownNames(names, tokens, chainId);
    const signed = typedDataOf(method, params);
    if (signed) return descriptors.signature(document, signed, known);
    const calls = describedCalls([params], chainId);
    return calls.length === 0 ? undefined : descriptors.calls(document, calls, known);
  }
}

async function readFacts(client: BackgroundClient, address: string, signal: AbortSignal): Promise<AddressFacts> {
  const [head, ...outcomes] = await client.ask([headQuestion(client.memory), ...addressQuestions(address)], signal);
  const facts = addressFacts(outcomes, undefined, client.mask);
  const isPlain = facts.what?.kind === "contract";
  const [number, what] = await Promise.all([
    headFrom(head, client, signal),
    isPlain ? safeOrDiamond(address, facts.code, client, signal) : undefined,
  ]);
  return { ...facts, head: number, what: what ?? facts.what };
}

function stillWaiting({ endpoint }: BackgroundClient): Markdown {
  return markdown`${escaped(endpoint.host)} has not answered for ${figure(formatDuration(maxWaitMs))}. Still waiting.`;
}

/** Does work once that several callers wait for at the same time, and keeps its result for a while. */
export interface RequestCoalescer<Value> {
  /**
   * @param keepMs - Milliseconds for which the result is kept.
   * @param work - Its signal aborts when no caller waits any more. Must not reject.
   * @returns `undefined` if the signal aborts first.
   */
  get(
    key: string,
    keepMs: number,
    work: (signal: AbortSignal) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value | undefined>;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly controller: AbortController;
  /** `undefined` while the work is in progress. */
  doneAt: number | undefined;
  waiting: number;
}

/** Results that are kept; the oldest are dropped first. */
const maxResults = 500;

function openRequestCoalescer<Value>(clock: Clock): RequestCoalescer<Value> {
  const entries = new Map<string, Entry<Value>>();
  const begin = (key: string, work: (signal: AbortSignal) => Promise<Value>): Entry<Value> => {
    const controller = new AbortController();
    const entry: Entry<Value> = { value: work(controller.signal), controller, doneAt: undefined, waiting: 0 };
    void entry.value.then(() => {
      entry.doneAt = clock.now();
      if (controller.signal.aborted && entries.get(key) === entry) entries.delete(key);
    });
    for (const oldest of entries.keys()) {
      if (entries.size < maxResults) break;
      entries.delete(oldest);
    }
    entries.set(key, entry);
    return entry;
  };
  return {
    async get(key, keepMs, work, signal) {
      const last = entries.get(key);
      const isCurrent = last && !last.controller.signal.aborted && (last.doneAt ?? clock.now()) + keepMs >= clock.now();
      const entry = isCurrent ? last : begin(key, work);
      if (entry.doneAt !== undefined) return entry.value;
      entry.waiting++;
      const value = await untilAborted(entry.value, signal);
      entry.waiting--;
      if (entry.waiting === 0 && entry.doneAt === undefined) entry.controller.abort();
      return value;
    },
  };
}
