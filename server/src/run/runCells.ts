import { labels, namesByAddress } from "../analysis/labels.ts";
import { tickClock } from "../base/clock.ts";
import type { JsonValue } from "../base/json.ts";
import { headerValues } from "../notebook/header.ts";
import type { RunParams, RunResult } from "../protocol/runs.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Document } from "../workspace/documents.ts";
import { CellLocator } from "./cellLocator.ts";
import type { RunSupport } from "./documentRun.ts";
import { openObservations } from "./observe/list.ts";
import { ObservationContext } from "./observe/observation.ts";
import { Observations } from "./observe/observe.ts";
import { Assumptions } from "./prepare/assumptions.ts";
import { openAssumedState } from "./prepare/statePlaces.ts";
import { CaseFollower } from "./result/caseFollower.ts";
import { ResultKeeper } from "./result/resultKeeper.ts";
import type { RunEvents, RunWithEvents } from "./result/runEvents.ts";
import { RunProgress } from "./result/runProgress.ts";
import { RunStreams } from "./result/runStreams.ts";
import { openSnapshot } from "./result/snapshots.ts";
import { isStream } from "./result/streamView.ts";
import { type RunHost, run } from "./run.ts";
import { intentDescriber } from "./runIntents.ts";
import { type Dispatcher, openDispatcher } from "./send/dispatcher.ts";

/**
 * Runs cells of a document and what they refer to, and keeps their results.
 *
 * @param variables - Override those of the header.
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
  const kept = params.keep && !recorded ? given.recordings.keep(document.uri) : undefined;
  // what a recorded run has to ask is in the recording, even if it is known already
  const support = recorded
    ? { ...given, sockets: recorded.sockets, assumedState: openAssumedState(given.clock) }
    : given;
  const { catalogs, contracts } = support;
  catalogs.refresh(document);
  contracts.refresh(document);
  const locator = new CellLocator(document, params.cells);
  events.planned?.(locator.steps.map(({ index }) => index));
  const documentRun = await openRun(document, params, variables, locator, events, signal, support);
  const { onRetry, onDelay, onQuestion, onLogProgress } = new RunProgress(documentRun);
  const reporting = { onRetry, onDelay, onQuestion, onLogProgress, intentOf: intentDescriber(documentRun) };
  const gate = (recorded ?? kept)?.gate ?? documentRun.routes.gate;
  const dispatchHost = { ...documentRun.routes, gate, ...reporting };
  const dispatcher = await openDispatcher(locator.cells, dispatchHost, signal); // asks for approval
  await Promise.all([catalogs.settled(document.uri), contracts.settled(document.uri)]);
  const { host, keeper } = await openParts(documentRun, params, dispatcher);
  await run(locator.steps, host, signal);
  await recorded?.end(signal);
  kept?.end();
  return keeper.finish();
}

async function openRun(
  document: Document,
  { endpoint }: Pick<RunParams, "endpoint">,
  variables: ReadonlyMap<string, JsonValue>,
  locator: CellLocator,
  events: RunEvents,
  signal: AbortSignal,
  support: RunSupport,
): Promise<RunWithEvents> {
  const [fromFiles, routes] = await Promise.all([
    support.labelFiles.ready(document.uri),
    support.routes.forRun(document, endpoint, locator.cells),
  ]);
  const header = {
    ...headerValues(document.header),
    labels: labels({ header: document.header, labels: fromFiles }),
  };
  const all = new Map([...header.variables, ...variables]);
  const names = namesByAddress(all, header.labels);
  return { document, header, locator, routes, variables: all, names, events, signal, support };
}

interface RunParts {
  readonly host: RunHost;
  readonly keeper: ResultKeeper;
}

/** Creates the parts that send, measure and record. Everything about the document was read before. */
async function openParts(
  documentRun: RunWithEvents,
  { snapshot: mode, stream: bounds = {}, follow, record }: Pick<RunParams, "snapshot" | "stream" | "follow" | "record">,
  dispatcher: Dispatcher,
): Promise<RunParts> {
  const { document, locator, support } = documentRun;
  const { mask, roots, files } = support;
  const projectAbis = support.contracts.of(document);
  const project = {
    header: document.header,
    labels: documentRun.header.labels,
    variables: documentRun.variables,
    get abis() {
      return support.signatures.with(projectAbis); // the table may be loaded during the run
    },
  };
  const { endpoint } = support.routes.of(document);
  const { catalog } = support.catalogs.of(document, endpoint);
  const mark = support.results.begin(document, endpoint);
  const snapshot = await openSnapshot({ uri: document.uri, keys: locator.keys, roots }, mode, files, mask);
  const clock = tickClock(support.clock);
  const observed = openObservations(new ObservationContext(documentRun, dispatcher, clock));
  const observations = new Observations(observed.all);
  const streams = new RunStreams(documentRun, project, observed.tokens, bounds);
  const keeper = new ResultKeeper(documentRun, { streams, observations, tokens: observed.tokens, snapshot, mark });
  const isFollowed = follow === true && record !== true; // what comes in the background is not recorded
  const follower = isFollowed ? new CaseFollower(documentRun, project, observed, bounds) : undefined;
  const assumptions = new Assumptions(documentRun, dispatcher);
  const { events, variables, routes } = documentRun;
  const host: RunHost = {
    clock,
    catalog,
    project,
    dispatcher,
    assumptions,
    observations,
    variables,
    hostValue: routes.hostValue,
    send: sender(dispatcher, { streams, observations, follower, assumptions }),
    started: (step) => events.started({ cell: locator.refOf(step) }),
    waiting: (step, why) => events.waiting?.({ cell: locator.refOf(step), why: mask.text(why) }),
    finished: (ended) => keeper.keep(ended),
  };
  return { host, keeper };
}

interface SendingParts {
  readonly streams: RunStreams;
  readonly observations: Observations;
  readonly follower: CaseFollower | undefined;
  readonly assumptions: Assumptions;
}

/** Sends the requests of cells, and what is asked beside them. */
function sender(
  dispatcher: Dispatcher,
  { streams, observations, follower, assumptions }: SendingParts,
): RunHost["send"] {
  return (cell, requests, handler) => {
    if (isStream(cell, requests)) {
      streams
        .stream(cell, requests)
        .then((outcomes) => handler.settle(outcomes))
        .catch((bug: unknown) => handler.fail(bug));
      return;
    }
    observations.sent(cell, requests);
    const ready = (outcomes: readonly Outcome[]) => observations.answered(cell, requests, outcomes);
    const followed = follower?.following(cell, requests, handler, ready) ?? handler;
    const settled = assumptions.outdating(cell, requests, followed);
    const isChecked = cell.directives.has("assume");
    dispatcher.send(cell, requests, isChecked ? assumptions.checking(cell, requests, settled) : settled);
  };
}
