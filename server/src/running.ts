import { lookUpAll, lookUpRevert } from "./abi/unknown.ts";
import { abiItems, abiScope } from "./analysis/abi.ts";
import type { JsonValue } from "./base/json.ts";
import type { Clock } from "./base/ports.ts";
import type { Catalogs } from "./catalogs.ts";
import type { Contracts } from "./contracts.ts";
import { type Document, toDocument } from "./documents.ts";
import type { WireRequest } from "./evaluate/wire.ts";
import type { KeptRows } from "./keptRows.ts";
import type { Cell } from "./notebook/cell.ts";
import { type HeaderValues, headerValues } from "./notebook/header.ts";
import type { CellRef, RunParams, RunResult } from "./protocol.ts";
import type { Results } from "./results.ts";
import type { Routes } from "./routes.ts";
import type { Outcome } from "./rpc/outcome.ts";
import { type CourierHost, openCourier } from "./run/courier.ts";
import { type FinishedCell, finishedCell, lastResult } from "./run/finished.ts";
import { plan } from "./run/plan.ts";
import { type Answer, run } from "./run/run.ts";
import type { Lookup, TokenNames } from "./run/tokens.ts";
import type { Knowing } from "./signatures.ts";

export interface RunEvents {
  /** The ordinals of all cells that the run takes in, in the order of the notebook; comes before everything else. */
  planned?(indices: readonly number[]): void;
  /** The cell's request goes out now. */
  started(event: { readonly cell: CellRef }): void;
  /** Comes once for every planned cell, also for those never sent. */
  finished(event: FinishedCell): void;
}

/** What a run needs that outlives it. */
export interface RunSupport {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly catalogs: Catalogs;
  readonly contracts: Contracts;
  readonly results: Results;
  readonly keptRows: KeptRows;
  readonly knowing: Knowing;
  readonly tokenNames: TokenNames;
}

/**
 * Runs cells of a document and what they refer to, and keeps their results.
 *
 * @param variables - Win over those of the header.
 */
export async function runCells(
  document: Document,
  { cells, endpoint }: Omit<RunParams, "runId">,
  variables: ReadonlyMap<string, JsonValue>,
  events: RunEvents,
  signal: AbortSignal,
  { clock, routes, catalogs, contracts, results, keptRows, knowing, tokenNames }: RunSupport,
): Promise<RunResult> {
  const steps = plan(document.cells, cells && indicesOf(document, cells));
  events.planned?.(steps.map(({ index }) => index));
  const header = headerValues(document.header);
  const courierHost = await routes.courierHost(document, endpoint);
  const courier = await openCourier(
    steps.map(({ cell }) => cell),
    courierHost,
    signal,
  );
  catalogs.refresh(document);
  contracts.refresh(document);
  await Promise.all([catalogs.settled(document.uri), contracts.settled(document.uri)]);
  const around = { header: document.header, abis: contracts.known(document) };
  const { catalog } = catalogs.known(document, routes.known(document).endpoint);
  const keep = results.record(document);
  const keys = results.keysOf(document);
  const stated = new Map(
    [...header.tokens].map(([address, token]) => [address, { ...token, source: "the header" }] as const),
  );
  const ended = await run(
    steps,
    {
      clock,
      courier: {
        ...courier,
        async carry(cell, requests) {
          const outcomes = await courier.carry(cell, requests);
          await knowing(() => lookUp(requests, outcomes)); // reports decode in one go, and cannot wait then
          return outcomes;
        },
      },
      variables: new Map([...header.variables, ...variables]),
      catalog,
      abiOf: (cell) => abiItems(cell, around),
      scopeOf: (cell) => abiScope(cell, around),
      tokensOf({ step: { cell }, answers }) {
        const place = tokenPlace(cell, header, courierHost);
        const ask = (questions: readonly WireRequest[]) => courier.carry(cell, questions);
        return tokenNames.of(answers, { stated, place, ask }, signal);
      },
      started: ({ index }) => events.started({ cell: document.refs[index] ?? { index } }),
      finished: (ended, tokens) => {
        const { index, cell } = ended.step;
        const place = document.placeOf(cell);
        const finished = finishedCell(ended, {
          ref: document.refs[index] ?? { index },
          key: keys[index] ?? String(index + 1),
          labels: header.labels,
          tokens,
          toDocument: (at) => (place ? toDocument(place, at) : at),
        });
        keep(finished.key, lastResult(finished));
        for (const answer of ended.answers) learn(answer, catalogs);
        const output = keptRows.keep(document.uri, finished.key, finished.output, finished.answerSize);
        events.finished({ ...finished, output });
      },
    },
    signal,
  );
  const ok = ended.filter((one) => one.ok).length;
  return { ok, failed: ended.length - ok, cancelled: signal.aborted };
}

/** Everything in requests and outcomes that is decoded by a topic or a selector. */
function lookUp(requests: readonly WireRequest[], outcomes: readonly Outcome[]): void {
  for (const { params } of requests) lookUpAll(params);
  for (const outcome of outcomes) {
    if (outcome.kind === "answered") lookUpAll(outcome.result.value);
    if (outcome.kind === "refused" && outcome.revertData !== undefined) lookUpRevert(outcome.revertData);
  }
}

/** Whose answers on tokens count for a cell; `undefined` where contracts are not asked. */
function tokenPlace(
  cell: Cell,
  header: HeaderValues,
  { tokenLookup, endpointOf, memoryOf }: CourierHost,
): Lookup["place"] {
  const found = tokenLookup ? endpointOf(cell) : undefined;
  if (!found || !("endpoint" in found) || found.endpoint.refuses?.includes("eth_call")) return undefined;
  return { endpoint: memoryOf(found.endpoint), chainId: found.endpoint.chainId ?? header.chainId };
}

/** What an endpoint tells of its methods counts from now on. */
function learn({ request, outcome }: Answer, catalogs: Catalogs): void {
  if (request.method !== "rpc.discover" || outcome.kind !== "answered") return;
  const { endpoint, host } = outcome.exchange;
  catalogs.discovered({ name: endpoint, host }, outcome.result.value);
}

function indicesOf(document: Document, refs: readonly CellRef[]): readonly number[] {
  return refs.flatMap((ref) => ("index" in ref ? [ref.index] : (document.placesIn(ref.uri)[0]?.index ?? [])));
}
