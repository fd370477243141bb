import type { JsonValue } from "../base/json.ts";
import { tickClock } from "../base/tickClock.ts";
import { headerValues } from "../notebook/header.ts";
import type { RunParams, RunResult } from "../protocol/runs.ts";
import { type Dispatcher, openDispatcher } from "../run/dispatcher.ts";
import { type RunHost, run } from "../run/run.ts";
import type { Document } from "../workspace/documents.ts";
import { answersNeedSignatures } from "./answersNeedSignatures.ts";
import { CellLocator } from "./cellLocator.ts";
import type { DocumentRun, RunSupport } from "./documentRun.ts";
import type { RunEvents } from "./runEvents.ts";
import { RunProgress } from "./runProgress.ts";
import { RunRecorder } from "./runRecorder.ts";
import { RunStreams } from "./runStreams.ts";
import { RunTokens } from "./runTokens.ts";
import { SideRequests } from "./sideRequests.ts";
import { openSnapshot } from "./snapshots.ts";
import { isStream } from "./streams.ts";

/**
 * Runs cells of a document and what they refer to, and keeps their results.
 *
 * @param variables - Win over those of the header.
 */
export async function runCells(
  document: Document,
  params: Omit<RunParams, "runId">,
  variables: ReadonlyMap<string, JsonValue>,
  events: RunEvents,
  signal: AbortSignal,
  given: RunSupport,
): Promise<RunResult> {
  const recorded = params.record ? given.recordings.begin(document.uri) : undefined;
  const support = recorded ? { ...given, sockets: recorded.sockets } : given;
  const { catalogs, contracts } = support;
  catalogs.refresh(document);
  contracts.refresh(document);
  const locator = new CellLocator(document, params.cells);
  events.planned?.(locator.steps.map(({ index }) => index));
  const documentRun = await openRun(document, params, variables, locator, events, signal, support);
  const { onRetry, onDelay, onLogProgress } = new RunProgress(documentRun);
  const transport = recorded?.transport ?? documentRun.routes.transport;
  const dispatchHost = { ...documentRun.routes, transport, onRetry, onDelay, onLogProgress };
  const dispatcher = await openDispatcher(locator.cells, dispatchHost, signal); // asks for approval
  await Promise.all([catalogs.settled(document.uri), contracts.settled(document.uri)]);
  const { host, recorder } = await prepare(documentRun, params, dispatcher);
  await run(locator.steps, host, signal);
  await recorded?.end(signal);
  return recorder.finish();
}

async function openRun(
  document: Document,
  { endpoint }: Pick<RunParams, "endpoint">,
  variables: ReadonlyMap<string, JsonValue>,
  locator: CellLocator,
  events: RunEvents,
  signal: AbortSignal,
  support: RunSupport,
): Promise<DocumentRun> {
  const header = headerValues(document.header);
  const routes = await support.routes.forRun(document, endpoint, locator.cells);
  const all = new Map([...header.variables, ...variables]);
  return { document, header, locator, routes, variables: all, events, signal, support };
}

interface PreparedRun {
  readonly host: RunHost;
  readonly recorder: RunRecorder;
}

/** Creates the parts that send, measure and record. Everything about the document was read before. */
async function prepare(
  documentRun: DocumentRun,
  { snapshot: mode, stream: bounds = {} }: Pick<RunParams, "snapshot" | "stream">,
  dispatcher: Dispatcher,
): Promise<PreparedRun> {
  const { document, locator, support } = documentRun;
  const { mask, roots, files } = support;
  const projectAbis = support.contracts.of(document);
  const abis = {
    header: document.header,
    get abis() {
      return support.signatures.with(projectAbis); // the table may be loaded during the run
    },
  };
  const { endpoint } = support.routes.of(document);
  const { catalog } = support.catalogs.of(document, endpoint);
  const mark = support.results.begin(document, endpoint);
  const snapshot = await openSnapshot({ uri: document.uri, keys: locator.keys, roots }, mode, files, mask);
  const clock = tickClock(support.clock);
  const tokens = new RunTokens(documentRun, dispatcher);
  const streams = new RunStreams(documentRun, abis, tokens, bounds);
  const sideRequests = new SideRequests(documentRun, dispatcher, clock);
  const recorder = new RunRecorder(documentRun, { streams, sideRequests, snapshot, mark });
  const sending = sendingOf(documentRun, dispatcher, streams, sideRequests);
  const showing = showingOf(documentRun, tokens, recorder);
  return { host: { clock, catalog, project: abis, ...sending, ...showing }, recorder };
}

/** Sends the requests of cells, and waits for everything that their answers are shown with. */
function sendingOf(
  { variables, routes, support }: DocumentRun,
  dispatcher: Dispatcher,
  streams: RunStreams,
  sideRequests: SideRequests,
): Pick<RunHost, "dispatcher" | "variables" | "hostValue" | "send" | "beforeReport"> {
  return {
    dispatcher,
    variables,
    hostValue: routes.hostValue,
    send(cell, requests, handler) {
      if (isStream(cell, requests)) {
        streams
          .stream(cell, requests)
          .then((outcomes) => handler.settle(outcomes))
          .catch((bug: unknown) => handler.fail(bug));
        return;
      }
      sideRequests.begin(cell, requests);
      dispatcher.send(cell, requests, handler);
    },
    beforeReport(cell, requests, outcomes) {
      const loading = support.signatures.loadIf(() => answersNeedSignatures(requests, outcomes));
      const side = sideRequests.wait(cell, requests, outcomes);
      return loading ? loading.then(() => side) : side;
    },
  };
}

/** Reports what happens to the cells, and records their results. */
function showingOf(
  { events, locator, support, signal }: DocumentRun,
  tokens: RunTokens,
  recorder: RunRecorder,
): Pick<RunHost, "tokensOf" | "started" | "waiting" | "finished"> {
  return {
    tokensOf: ({ step, answers }) => tokens.of(step.cell, answers, signal),
    started: (step) => events.started({ cell: locator.refOf(step) }),
    waiting: (step, why) => events.waiting?.({ cell: locator.refOf(step), why: support.mask.text(why) }),
    finished: (ended, tokens) => recorder.record(ended, tokens),
  };
}
