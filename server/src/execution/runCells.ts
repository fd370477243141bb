import { signaturesWanted } from "../abi/abiScope.ts";
import { lookUpAll, lookUpRevert } from "../abi/unknown.ts";
import { abiScope } from "../analysis/abi.ts";
import { declarations } from "../analysis/references.ts";
import { isArray, type JsonValue } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Clock, Files } from "../base/ports.ts";
import { tickClock } from "../base/tickClock.ts";
import { formatDuration } from "../base/units.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellRef } from "../notebook/cellRef.ts";
import { type HeaderValues, headerValues } from "../notebook/header.ts";
import type { RunParams, RunResult } from "../protocol/runs.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import { reportOf } from "../report/reportOf.ts";
import type { Tokens } from "../report/tokens.ts";
import { mayNameTokens } from "../report/tokensIn.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { SocketPool } from "../rpc/socketPool.ts";
import { defaultBatch } from "../rpc/wire.ts";
import { CellResult, type Ending } from "../run/cellResult.ts";
import { type Answer, type CellRun, titleOf } from "../run/cellRun.ts";
import { DataFees } from "../run/dataFees.ts";
import { endpointDirective, openDispatcher } from "../run/dispatcher.ts";
import type { DispatchHost } from "../run/endpointQueue.ts";
import { HeadTracker } from "../run/headTracker.ts";
import { maskedOutcome, maskedOutput, maskedRun } from "../run/maskRun.ts";
import { outputOf } from "../run/output.ts";
import { cellsOf, plan, type Step } from "../run/plan.ts";
import { run } from "../run/run.ts";
import type { Lookup, TokenNames } from "../run/tokens.ts";
import type { UnsentReason } from "../run/unsentReason.ts";
import { type Document, toDocument } from "../workspace/documents.ts";
import type { OpenrpcCatalogs } from "../workspace/openrpcCatalogs.ts";
import type { ProjectContracts } from "../workspace/projectContracts.ts";
import type { Routes } from "../workspace/routes.ts";
import type { WithSignatures } from "../workspace/signatures.ts";
import { rangeIn } from "./cellTests.ts";
import type { Results } from "./results.ts";
import type { RowStore } from "./rowStore.ts";
import { openSnapshot } from "./snapshots.ts";
import {
  answeredWith,
  isStream,
  type StreamEvent,
  type StreamingCell,
  type StreamResult,
  type Streams,
  streamCell,
  withLiveControls,
} from "./streams.ts";

export interface RunEvents {
  /** The ordinals of all cells that the run takes in, in the order of the notebook; comes before everything else. */
  planned?(indices: readonly number[]): void;
  /** The cell's request goes out now. */
  started(event: { readonly cell: CellRef }): void;
  /** The cell is still open: it waits for the endpoint, or for what it expects. Comes any number of times. */
  waiting?(event: {
    readonly cell: CellRef;
    readonly why: string;
    /** What has come so far, where that can be shown; made when it is called. */
    readonly soFar?: () => CellOutput["reports"];
  }): void;
  /** A subscription cell has rows; comes at most five times a second for each. */
  streamed?(event: StreamEvent): void;
  /** Comes once for every planned cell, also for those never sent. */
  finished(event: CellResult): void;
}

/** What a run needs that outlives it. */
export interface RunSupport {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly catalogs: OpenrpcCatalogs;
  readonly contracts: ProjectContracts;
  readonly results: Results;
  readonly keptRows: RowStore;
  readonly knowing: WithSignatures;
  readonly tokenNames: TokenNames;
  readonly mask: Mask;
  readonly files: Files;
  /** URIs of the workspace folders. */
  readonly roots: readonly string[];
  readonly lines: SocketPool;
  readonly streams: Streams;
}

/**
 * Runs cells of a document and what they refer to, and keeps their results.
 *
 * @param variables - Win over those of the header.
 */
export async function runCells(
  document: Document,
  { cells, endpoint, snapshot: mode, stream: bounds = {} }: Omit<RunParams, "runId">,
  variables: ReadonlyMap<string, JsonValue>,
  events: RunEvents,
  signal: AbortSignal,
  {
    clock,
    routes,
    catalogs,
    contracts,
    results,
    keptRows,
    knowing,
    tokenNames,
    mask,
    files,
    roots,
    lines,
    streams,
  }: RunSupport,
): Promise<RunResult> {
  catalogs.refresh(document);
  contracts.refresh(document);
  const steps = plan(document.cells, cells && indicesOf(document, cells));
  events.planned?.(steps.map(({ index }) => index));
  const header = headerValues(document.header);
  const going = cellsOf(steps);
  const courierHost = await routes.courierHost(document, endpoint, going);
  const refOf = ({ index }: Step): CellRef => document.refs[index] ?? { index };
  let byCell: ReadonlyMap<Cell, Step> | undefined;
  const stepOf = (cell: Cell): Step | undefined => {
    byCell ??= new Map(steps.map((step) => [step.cell, step]));
    return byCell.get(cell);
  };
  const saidAt = new Map<Cell, number>();
  const tellWait = (cells: readonly Cell[], what: string): void => {
    const why = mask.text(what);
    for (const step of new Set(cells.map(stepOf))) if (step) events.waiting?.({ cell: refOf(step), why });
  };
  const courier = await openDispatcher(
    going,
    {
      ...courierHost,
      retrying(retry, waiting) {
        courierHost.retrying(retry, waiting);
        tellWait(waiting, `${retry.reason} Trying again in ${formatDuration(retry.waitMs)}.`);
      },
      heldUp: (what, waitMs, waiting) =>
        tellWait(waiting, waitMs === undefined ? what : `${what} Sending in ${formatDuration(waitMs)}.`),
      reading(cell, request, { text, soFar }) {
        const step = stepOf(cell);
        const now = clock.now();
        if (!step || now - (saidAt.get(cell) ?? 0) < readingPace) return;
        saidAt.set(cell, now);
        const scope = abiScope(cell, { header: document.header, abis: contracts.known(document) });
        events.waiting?.({
          cell: refOf(step),
          why: `${text}.`,
          soFar: () => {
            const answer = { request, outcome: soFar(), scope };
            const open = { step, answers: [answer], notSent: undefined, verdicts: [], batch: undefined, ok: true };
            const naming = { labels: header.labels, tokens: stated, names, snapshot: undefined };
            const output = outputOf(maskedRun({ ...open, startedAt: clock.date(), durationMs: 0 }, mask), naming);
            return maskedOutput(output, mask).reports;
          },
        });
      },
    },
    signal,
  );
  await Promise.all([catalogs.settled(document.uri), contracts.settled(document.uri)]);
  const around = { header: document.header, abis: contracts.known(document) };
  const goesTo = routes.known(document).endpoint;
  const { catalog } = catalogs.known(document, goesTo);
  const thisRun = results.begin(document, goesTo);
  const keys = results.keysOf(document);
  const snapshot = await openSnapshot({ uri: document.uri, keys, roots }, mode, files, mask);
  const values = new Map([...header.variables, ...variables]);
  const names = (): Iterable<string> => [
    ...values.keys(),
    ...document.cells.flatMap((cell) => declarations(cell).map(({ name }) => name)),
  ];
  const asked = cells && new Set(indicesOf(document, cells));
  let ok = 0;
  const stated = statedTokens(header);
  const followed = new Map<Cell, StreamResult>();
  const keyOf = ({ index }: Step): string => keys[index] ?? String(index + 1);
  const tokensIn = (cell: Cell, answers: readonly Answer[], stop: AbortSignal): Tokens | Promise<Tokens> => {
    if (!answers.some(({ request }) => mayNameTokens(request))) return stated;
    const place = tokenPlace(cell, header, courierHost);
    const ask = (questions: readonly EvaluatedRequest[]) => Promise.all(questions.map((one) => courier.ask(cell, one)));
    return tokenNames.of(answers, { stated, place, ask }, stop);
  };
  const follow = async (cell: Cell, requests: readonly EvaluatedRequest[]): Promise<readonly Outcome[]> => {
    const step = stepOf(cell);
    const [request] = requests;
    if (!step || !request) return [];
    const key = keyOf(step);
    const scope = abiScope(cell, around);
    let tokens = stated;
    const answerWith = (items: readonly JsonValue[], outcome: Outcome): Outcome =>
      outcome.kind === "answered" ? answeredWith(items, outcome) : outcome;
    const one: StreamingCell = {
      cell,
      request,
      uri: document.uri,
      key,
      ref: refOf(step),
      index: step.index,
      bounds,
      report: (items, outcome) => {
        const { labels } = header;
        const { method, params } = request;
        const told = maskedOutcome(answerWith(items, outcome), mask);
        const title = titleOf(step);
        return reportOf({ title, method, params: params ?? [], outcome: told, labels, scope, tokens });
      },
      async learn(items, outcome, stop) {
        const named = tokensIn(cell, [{ request, outcome: answerWith(items, outcome), scope }], stop);
        tokens = new Map([...tokens, ...(await named)]);
      },
      keep: (output) => maskedOutput(keptRows.keep(document.uri, key, output, 0), mask),
      changed: (event) => events.streamed?.({ ...event, rows: mask.value(event.rows), told: mask.value(event.told) }),
    };
    const state = await streamCell(one, lines, streams, courierHost, signal);
    followed.set(cell, state);
    return [state.outcome];
  };
  const endpointOf = (cell: Cell): Endpoint | undefined => {
    const found = courierHost.endpointOf(cell);
    return "endpoint" in found ? found.endpoint : undefined;
  };
  const count = going.reduce((sum, { requests }) => sum + requests.length, 0);
  const apart = count === 1 || count >= defaultBatch.items;
  const burst = tickClock(clock);
  const states = new HeadTracker(
    {
      clock: burst,
      dispatcher: courier,
      apart,
      endpointOf,
      memoryOf: courierHost.memoryOf,
      sawHead: courierHost.sawHead,
    },
    signal,
  );
  const chainOf = (cell: Cell): bigint | undefined => {
    const endpoint = endpointOf(cell);
    if (!endpoint || endpoint.rate !== undefined || endpoint.refuses.includes("eth_call")) return undefined;
    const own = endpointDirective(cell) === undefined ? header.chainId : undefined;
    return endpoint.chainId ?? own ?? courierHost.memoryOf(endpoint).probed?.chainId;
  };
  const dataFees = new DataFees({ clock: burst, dispatcher: courier, chainOf }, signal);
  const ending: Ending = {
    mask,
    labels: header.labels,
    names,
    refOf,
    keyOf,
    stateOf: (cell, request) => states.of(cell, request),
    dataFeeOf: (request) => dataFees.of(request),
    rangeOf: (cell, at) => rangeIn(document, cell, at),
    toDocument(cell, at) {
      const place = document.placeOf(cell);
      return place ? toDocument(place, at) : at;
    },
    keep(step, output, size) {
      const state = followed.get(step.cell);
      const whole = state ? withLiveControls(output, state) : output;
      return maskedOutput(keptRows.keep(document.uri, keyOf(step), whole, size), mask);
    },
  };
  await run(
    steps,
    {
      clock: burst,
      dispatcher: courier,
      send(cell, requests, receiver) {
        if (isStream(cell, requests)) {
          follow(cell, requests)
            .then((outcomes) => receiver.settle(outcomes))
            .catch((bug: unknown) => receiver.fail(bug));
          return;
        }
        states.begin(cell, requests);
        dataFees.begin(cell, requests);
        courier.send(cell, requests, receiver);
      },
      beforeReport(cell, requests, outcomes) {
        lookUp(requests, outcomes);
        const along = linkedSignal(states.due(cell, requests, outcomes), dataFees.due(requests));
        return signaturesWanted() ? knowing(() => lookUp(requests, outcomes)).then(() => along) : along;
      },
      variables: values,
      hostValue: courierHost.hostValue,
      catalog,
      project: around,
      tokensOf: ({ step: { cell }, answers }) => tokensIn(cell, answers, signal),
      started: (step) => events.started({ cell: refOf(step) }),
      waiting: (step, why) => events.waiting?.({ cell: refOf(step), why: mask.text(why) }),
      finished: (ended, tokens) => {
        const { step } = ended;
        const key = keyOf(step);
        const shown = withoutAnswers(ended, followed.get(step.cell)?.notSent);
        const finished = new CellResult(shown, tokens, snapshot?.verdictOn(shown, key), ending);
        results.keep(document, thisRun, step.cell, key, finished.last());
        for (const answer of shown.answers) learnFromOutcomes(answer, catalogs, mask);
        if (asked?.has(step.index) !== false) snapshot?.ended(finished);
        if (finished.ok) ok++;
        events.finished(finished);
      },
    },
    signal,
  );
  const told = await snapshot?.finish();
  return { ok, failed: steps.length - ok, cancelled: signal.aborted, ...(told && { snapshot: told }) };
}

function linkedSignal(one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<unknown> | undefined {
  return one && other ? Promise.all([one, other]) : (one ?? other);
}

function withoutAnswers(run: CellRun, notSent: UnsentReason | undefined): CellRun {
  return notSent ? { ...run, answers: [], verdicts: [], batch: undefined, ok: false, notSent } : run;
}

/** Milliseconds between two words on logs that come in parts. */
const readingPace = 400;

/** Tokens of which the header says what they are called. */
export function statedTokens({ tokens }: HeaderValues): Tokens {
  return new Map([...tokens].map(([address, token]) => [address, { ...token, source: "the header" }] as const));
}

/** Everything in requests and outcomes that is decoded by a topic or a selector. */
function lookUp(requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): void {
  for (const { params, flat } of requests) if (!flat && isArray(params)) lookUpAll(params);
  for (const outcome of outcomes) {
    if (outcome.kind === "answered" && isDeep(outcome.result.value)) lookUpAll(outcome.result.value);
    if (outcome.kind === "refused" && outcome.revertData !== undefined) lookUpRevert(outcome.revertData);
  }
}

function isDeep(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** Whose answers on tokens count for a cell; `undefined` where contracts are not asked. */
function tokenPlace(
  cell: Cell,
  header: HeaderValues,
  { tokenLookup, endpointOf, memoryOf }: Pick<DispatchHost, "tokenLookup" | "endpointOf" | "memoryOf">,
): Lookup["place"] {
  const found = tokenLookup ? endpointOf(cell) : undefined;
  if (!found || !("endpoint" in found) || found.endpoint.refuses?.includes("eth_call")) return undefined;
  return { endpoint: memoryOf(found.endpoint), chainId: found.endpoint.chainId ?? header.chainId };
}

/** What an endpoint tells of its methods counts from now on. */
function learnFromOutcomes({ request, outcome }: Answer, catalogs: OpenrpcCatalogs, mask: Mask): void {
  if (request.method !== "rpc.discover" || outcome.kind !== "answered") return;
  const { endpoint, host } = outcome.exchange;
  catalogs.discovered({ name: endpoint, host }, mask.value(outcome.result.value));
}

function indicesOf(document: Document, refs: readonly CellRef[]): readonly number[] {
  return refs.flatMap((ref) => ("index" in ref ? [ref.index] : (document.placesIn(ref.uri)[0]?.index ?? [])));
}
