import { type AbiScope, withBundled } from "../abi/abiScope.ts";
import { checksummed } from "../abi/address.ts";
import { needsSignatures } from "../abi/needsSignatures.ts";
import { signedTransaction } from "../abi/signedTransaction.ts";
import { isAddress } from "../base/hex.ts";
import { isArray, printJson } from "../base/json.ts";
import { escaped, figure, type Markdown, markdown } from "../base/markdown.ts";
import type { Clock } from "../base/ports.ts";
import { formatDuration } from "../base/units.ts";
import { explorerPage } from "../features/explorerPage.ts";
import { type AddressFacts, addressFacts, addressQuestions } from "../live/addressFacts.ts";
import { addressMarkdown } from "../live/addressMarkdown.ts";
import type { BackgroundClient } from "../live/backgroundClient.ts";
import { headFrom } from "../live/headFrom.ts";
import { openRequestCoalescer } from "../live/requestCoalescer.ts";
import { type SimulationAttempt, simulateWithFallback } from "../live/simulateWithFallback.ts";
import { type SimulationRequest, simulated, simulationOf } from "../live/simulation.ts";
import { simulationMarkdown } from "../live/simulationMarkdown.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Tokens } from "../report/tokens.ts";
import { headQuestion } from "../rpc/head.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";
import type { SignatureTable } from "../workspace/signatures.ts";

/** What hovers say of a chain as it is now. */
export interface LiveHovers {
  /** @returns `undefined` where nothing may be asked. */
  address(address: string, beside: SimulatedBeside, signal: AbortSignal): Promise<Markdown | undefined>;
  /**
   * What a request would do, tried where the cell's requests go. Nothing is broadcast.
   *
   * @returns `undefined` for requests that cannot be tried, and where nothing may be asked.
   */
  simulation(request: SimulationRequest, around: HoverContext, signal: AbortSignal): Promise<Markdown | undefined>;
}

/** Where something stands. */
export interface SimulatedBeside {
  /** `undefined` for a file that is no notebook. */
  readonly document: Document | undefined;
  readonly uri: string;
  readonly cell?: Cell;
  /** What addresses are called, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** What the address is called, where nothing beside the hover says so. */
  readonly name?: string | undefined;
}

/** Where a request stands, and what is known around it. */
export interface HoverContext extends SimulatedBeside {
  readonly document: Document;
  readonly cell: Cell;
  readonly scope: AbiScope;
  readonly tokens: Tokens;
}

/** Milliseconds that a hover may keep a person waiting. */
const patienceMs = 1500;

export function openLiveHovers(clock: Clock, routes: Routes, signatures: SignatureTable): LiveHovers {
  const shared = openRequestCoalescer<AddressFacts>(clock);
  const tried = openRequestCoalescer<SimulationAttempt>(clock);
  const factsOf = (asker: BackgroundClient, address: string, signal: AbortSignal): Promise<AddressFacts> =>
    shared.get(
      `${asker.endpoint.name} ${asker.endpoint.url} ${address.toLowerCase()}`,
      asker.cadence().periodMs,
      async (stop) => {
        const [head, ...outcomes] = await asker.ask([headQuestion(asker.memory), ...addressQuestions(address)], stop);
        return addressFacts(outcomes, await headFrom(head, asker, stop));
      },
      signal,
    );
  return {
    async address(address, { document, uri, cell, names, name }, signal) {
      if (!isAddress(address)) return undefined;
      const asker = await routes.asker(document, uri, cell);
      if ("silent" in asker || signal.aborted) return undefined;
      const { endpoint, explorer } = asker;
      const facts = await inTime(factsOf(asker, address, signal), clock, signal);
      if (signal.aborted) return undefined;
      if (!facts) return stillAsking(asker);
      const page = explorerPage(explorer, "address", checksummed(address));
      return addressMarkdown(facts, { endpoint: endpoint.name, cadence: asker.cadence(), names, name, page });
    },
    async simulation({ method, params }, { document, uri, cell, names, scope, tokens }, signal) {
      if (!simulated.has(method)) return undefined;
      const [raw] = isArray(params) ? params : [];
      const signed = method === "eth_sendRawTransaction" ? await signedTransaction(raw) : undefined;
      const simulation = simulationOf({ method, params }, signed);
      const asker = simulation && (await routes.asker(document, uri, cell));
      if (!asker || "silent" in asker || signal.aborted) return undefined;
      const { name, url } = asker.endpoint;
      const key = `${name} ${url} ${printJson(simulation.full.params)}`;
      const found = await inTime(
        tried.get(key, asker.cadence().periodMs, (stop) => simulateWithFallback(simulation, asker, stop), signal),
        clock,
        signal,
      );
      if (signal.aborted) return undefined;
      if (!found) return stillAsking(asker);
      const { outcome } = found;
      await signatures.loadIf(() => outcome.kind === "answered" && needsSignatures(outcome.result.value));
      return simulationMarkdown(found.question, outcome, {
        names,
        scope: withBundled(scope, signatures.bundled()),
        tokens: new Map([...found.tokens, ...tokens]),
        endpoint: name,
        instead: found.instead,
        dataFee: found.dataFee,
      });
    },
  };
}

function stillAsking({ endpoint }: BackgroundClient): Markdown {
  return markdown`${escaped(endpoint.host)} has not answered for ${figure(formatDuration(patienceMs))}; it is still being asked.`;
}

/** @returns `undefined` where the work takes longer; it goes on all the same. */
async function inTime<T>(work: Promise<T>, clock: Clock, signal: AbortSignal): Promise<T | undefined> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal.addEventListener("abort", end, { once: true });
  const first = await Promise.race([work, clock.sleep(patienceMs, stop.signal).then(() => undefined)]);
  signal.removeEventListener("abort", end);
  end();
  return first;
}
